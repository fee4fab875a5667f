"""Makes the index's torch wheel usable on a CPU without the gigabytes of CUDA libraries it asks for.

The x86-64 wheel of torch on the ordinary Python index links libraries of the CUDA toolkit, which come as wheels of
their own. None of their code runs on a CPU, but the dynamic linker needs the files. This script writes empty libraries of
those names next to torch's own. Every function that torch imports from them returns 0, and the device count is an error,
so torch sees a machine without a GPU. Torch itself is not changed. Do not use it on a machine whose GPU is needed.

    python cuda_stubs.py            in the environment that has torch, installed with --no-deps
"""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

NO_DEVICE = 100  # cudaErrorNoDevice
PREFIX = r"(__)?(cuda|cublas|cudnn|cufft|cuFile|cupti|cusolver|cusparse|nccl|nvrtc|nvshmem)"


def readelf(*arguments):
    return subprocess.run(["readelf", "-W", *arguments], check=True, capture_output=True, text=True).stdout


def imports(libraries):
    """{library wanted: {version or "": functions}} over all of torch's libraries; unversioned names go to the first."""
    wanted, owner, symbols, file = set(), {}, set(), None
    for library in libraries:
        wanted |= set(re.findall(r"\(NEEDED\).*\[(lib(?:cu|nccl|nv)[^]]*)\]", readelf("-d", library)))
        for kind, name in re.findall(r"(File|Name): (\S+)", readelf("-V", library)):
            file = name if kind == "File" else file
            owner |= {name: file} if kind == "Name" else {}
        symbols |= set(re.findall(rf" UND ({PREFIX}\w*)(?:@(\S+))?", readelf("--dyn-syms", library)))
    wanted.discard("libcuda.so.1")  # the driver: torch asks for it only once it has found a GPU
    stubs = {name: {} for name in sorted(wanted)}
    for name, _, _, version in sorted(symbols):
        library = owner[version] if version else next(iter(stubs))
        stubs[library].setdefault(version, []).append(name)
    return stubs


def build(library, functions, folder):
    source = "".join(
        f"int {name}(void) {{ return {NO_DEVICE if name == 'cudaGetDeviceCount' else 0}; }}\n"
        for names in functions.values()
        for name in names
    )
    versions = "".join(
        f"{version} {{ global: {' '.join(name + ';' for name in names)} }};\n"
        for version, names in functions.items()
        if version
    )
    with tempfile.TemporaryDirectory() as scratch:
        (c := pathlib.Path(scratch, "stub.c")).write_text(source)
        (script := pathlib.Path(scratch, "versions")).write_text(versions)
        flags = [f"-Wl,--version-script={script}"] if versions else []
        flags += ["-w", "-fno-builtin", "-shared", "-fPIC", f"-Wl,-soname,{library}"]
        subprocess.run(["gcc", *flags, c, "-o", folder / library], check=True)


def main():
    torch = importlib.util.find_spec("torch")  # found, not imported: the import is what fails
    folder = pathlib.Path(torch.origin).parent / "lib"
    stubs = imports(sorted(folder.glob("*.so")))
    for library, functions in stubs.items():
        build(library, functions, folder)
    print(f"cuda_stubs: {len(stubs)} empty libraries in place of the CUDA toolkit", file=sys.stderr)


if __name__ == "__main__":
    main()
