# Nothing is to be said of this system but its name, which CMake asks for.
