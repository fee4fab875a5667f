# perpend: `make demo` and `make test` do everything on a bare Debian 12. `make help` lists the rest.
.DEFAULT_GOAL := build
.PHONY: help setup build install demo docs gallery test test-asan test-tsan test-package test-aarch64 playground \
  test-playground fuzz soak bench bench-peers sdist wheels dist deb format lint clean
PROGRAM := build/release/bin/perpend
PREFIX := /usr/local

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install the Debian packages perpend needs (root or sudo)
	@tools/setup

build: setup ## release build; the program is build/release/bin/perpend
	@cmake --preset release > /dev/null
	@cmake --build --preset release

install: build ## program, library, headers, manual page, completions; PREFIX=/usr/local unless given
	@cmake --install build/release --prefix "$(PREFIX)" > /dev/null
	@echo "perpend is installed in $(PREFIX)"

demo: build ## first look: restarts against LIT on data that asks for two explanations
	@$(PROGRAM) demo --output demo

docs: build ## the documentation as a site that opens from a disk: build/site/index.html
	@docs/site/make $(PROGRAM) build/site $(if $(wildcard build/gallery),--reports build/gallery)
	@docs/site/check_links build/site

gallery: build ## run the six stories of the site on public tables (minutes), and make the reports that `make docs` then shows
	@docs/make/gallery $(PROGRAM) --reports build/gallery

test: ## build and run every test and check
	@tools/setup test
	@cmake --preset dev > /dev/null
	@cmake --build --preset dev
	@ctest --preset dev

test-asan: setup ## unit suites and the whole command line under the address and undefined-behaviour sanitizers
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan
	@ctest --preset asan

test-tsan: setup ## unit suites under the thread sanitizer
	@cmake --preset tsan > /dev/null
	@cmake --build --preset tsan
	@ctest --preset tsan

test-package: ## make the source package, build and install it by pip offline, and train with it (slow)
	@tools/setup package
	@tests/package/run

test-aarch64: setup ## cross-compile for 64-bit Arm and run the contract, golden trainings and kernels there, by qemu
	@tools/test_aarch64

playground: ## the page in which the engine trains in a browser, build/playground/index.html
	@tools/setup playground
	@web/playground/build

test-playground: build playground ## that page against the release build of the program, bit for bit, and in Chromium
	@tests/web/run $(PROGRAM) fused_test.mjs "$(CURDIR)/build/playground/fused.wasm"
	@tests/web/run $(PROGRAM) playground_test.mjs "$(CURDIR)/build/playground/index.html"

fuzz: setup ## 300,000 runs of each fuzz target with sanitizers; findings stay in build/fuzz
	@cmake --preset fuzz > /dev/null
	@cmake --build --preset fuzz
	@tests/fuzz/run 300000

soak: setup ## 1,000 kill -9 at random moments of sweeps that are resumed each time
	@cmake --preset dev > /dev/null
	@cmake --build --preset dev --target test_sweep_ended
	@PERPEND_KILLS=1000 build/dev/bin/test_sweep_ended --gtest_filter='KilledSweep.*'

bench: build ## speed against the machine's measured peak
	@$(PROGRAM) bench

bench-peers: build ## the same steps in PyTorch, JAX and TensorFlow, CSV in pandas, polars and DuckDB, as ratios
	@benchmarks/peers/run
	@benchmarks/peers/run_csv

sdist: ## source package with all that it needs inside: build/package/perpend-VERSION.tar.gz
	@tools/setup package
	@tools/package sdist

wheels: sdist ## Python wheels for any Linux with glibc 2.28: build/package/dist/*.whl; ARCH=aarch64 for the other machines
	@tools/package wheels $(ARCH)

dist: sdist ## the program as one file for any Linux with glibc 2.28, manual page, completions, checksums: build/package/dist
	@tools/package program $(ARCH)

deb: build ## a Debian package of the program, with MPI: build/package/dist/perpend_*.deb
	@tools/setup package
	@tools/package deb

format: setup ## format every C++ file in place
	@git ls-files '*.h' '*.cpp' | xargs clang-format -i

lint: setup ## clang-tidy over every module, format check, include, printing and message rules
	@tools/check_format
	@tools/check_includes
	@tools/check_printing
	@tools/check_messages
	@cmake --preset tidy > /dev/null
	@cmake --build --preset tidy

clean: ## remove every build
	@rm -rf build demo
