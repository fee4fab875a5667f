# CMake asks for this file. The name of the system is all it needs.
