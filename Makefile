# Two commands for a new user: `make demo` and `make test`. Both install what is missing, configure and build first.
STICTION = build/release/apps/stiction/stiction

# The same source in another checkout comes from the compiler's cache: paths below this folder count from it.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1

# As many compilers as cores: more only take each other's time, and hide what a file costs (scripts/compile_times.py).
JOBS ?= $(shell nproc)

.PHONY: all cli coverage deb demo docs results test test-install test-install-deb test-install-wheel test-slow test-wheels wheel torture bench sanitize fuzz format lint setup stubs clean

all: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j$(JOBS)

cli: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target stiction_cli -j$(JOBS)

setup:
	@scripts/setup.sh

# The Debian package: build/deb/stiction_<version>_<architecture>.deb. Times in it are those of the last commit.
deb:
	@scripts/setup.sh --deb
	@cmake --preset deb >/dev/null
	@cmake --build --preset deb -j$(JOBS)
	@rm -f build/deb/*.deb
	@cd build/deb && SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || date +%s) cpack -G DEB >cpack.log || { cat cpack.log; exit 1; }
	@ls -l build/deb/*.deb

# Does the package work on a bare Debian 12 without compilers? As root, with debootstrap; some minutes.
test-install-deb: deb
	scripts/test_install_deb.sh build/deb/stiction_*.deb

# A wheel for each interpreter in PYTHONS, by default for every python3.N from 3.10 on the PATH, and the sdist: build/wheel.
PYTHONS ?=
wheel: setup
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) scripts/wheel.sh $(PYTHONS)

# Does the wheel work on a bare Debian 12 that has Python alone? As root, with debootstrap; NumPy comes from the package index.
test-install-wheel: wheel
	@rm -rf build/wheel/numpy
	@build/wheel/cp311/bin/pip download --quiet --disable-pip-version-check --only-binary :all: --no-deps --dest build/wheel/numpy numpy
	scripts/test_install_wheel.sh build/wheel/stiction-*-cp311-*.whl build/wheel/numpy/*.whl

# Both, before every release: what they print is kept in packaging/.
test-install: test-install-deb test-install-wheel

# The Python tests on each wheel, under the oldest and the newest NumPy of its interpreter, from the package index.
test-wheels: wheel
	scripts/test_wheels.sh build/wheel/*.whl

# The first figure is there before most is compiled.
demo: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target stiction_first_figure -j$(JOBS)
	@build/release/lab/stiction_first_figure out/scalar/stick-slip
	@$(MAKE) --no-print-directory cli
	$(STICTION) reproduce --all --quick --out out

test: all
	ctest --preset release -j2 -LE 'slow|torture'

# What takes minutes: does the confidence of identified parameters hold over many sets of logs?
test-slow: all
	ctest --preset release -j2 -L slow

# Random steps with parameters and inputs of every size: a quarter of an hour. STICTION_TORTURE_STEPS=1e7 for fewer.
torture: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target torture
	ctest --preset release -L torture --verbose

bench: cli
	$(STICTION) bench

# docs/results.md and docs/coverage.md from what was computed and timed: ten minutes, on a machine that does nothing else.
SCENES = cube-and-corner peg-and-hole engine-bay door
results: demo
	$(STICTION) bench --json > out/bench.json
	for scene in $(SCENES); do $(STICTION) haptic $$scene --repeat 3 --no-pictures --json --out out/haptic-$$scene > out/haptic-$$scene.json; done
	scripts/results.py out --bench out/bench.json $(foreach scene,$(SCENES),--haptic $(scene)=out/haptic-$(scene).json) --write docs/results.md
	scripts/coverage.py out --write docs/coverage.md

# docs/coverage.md alone, for which times do not matter.
coverage: demo
	scripts/coverage.py out --write docs/coverage.md

# The documentation as a site: build/docs/html/index.html
docs: all
	@scripts/setup.sh --docs
	@ls out/*/*/result.json >/dev/null 2>&1 || $(STICTION) reproduce --all --quick --out out
	@scripts/docs.py

# The whole test suite under AddressSanitizer and UBSan, then what has threads under ThreadSanitizer. docs/tests.md
# says what that takes.
sanitize: setup
	cmake --preset asan >/dev/null && cmake --build --preset asan && ctest --preset asan -LE 'long|slow|torture|unsanitized' -j2
	cmake --preset tsan >/dev/null && cmake --build --preset tsan --target threaded_tests && ctest --preset tsan -L threads -LE 'long|slow|torture|unsanitized' -j2

# libFuzzer with AddressSanitizer and UBSan over every parser and numeric entry: TIME seconds for each target, or fewer
# where RUNS executions are reached. TARGETS: some of them. fuzz/README.md says more.
TIME ?= 20
RUNS ?= 0
fuzz:
	@scripts/setup.sh --fuzz
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	@fuzz/run.py --time $(TIME) --runs $(RUNS) $(TARGETS)

# python/stiction/_core/*.pyi, from the extension
stubs: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target stubs -j$(JOBS)

format:
	@scripts/format.sh

lint: all
	@scripts/lint.sh

clean:
	rm -rf build out
