"""Conan 2 recipe: conan create packaging/conan. It packs the sources around it, so it must be used from a clone."""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

# The option of CMake for each option of the recipe.
OPTIONS = {
    "c": "STICTION_C",
    "sim": "STICTION_SIM",
    "identify": "STICTION_IDENTIFY",
    "geometry": "STICTION_GEOMETRY",
    "haptics": "STICTION_HAPTICS",
    "viz": "STICTION_VIZ",
    "apps": "STICTION_APPS",
}


class Stiction(ConanFile):
    name = "stiction"
    description = "Friction models, simulation, identification and haptics in C++20"
    license = "BSD-3-Clause"
    topics = ("friction", "simulation", "robotics", "haptics")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], **{name: [True, False] for name in OPTIONS}}
    default_options = {"shared": False, **{name: False for name in OPTIONS}}

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._root, "include", "stiction", "version.h"))
        self.version = re.search(r'STICTION_VERSION "([^"]+)"', header)[1]

    def export_sources(self):
        for pattern in ["CMakeLists.txt", "LICENSE", "CHANGELOG.md", "apps/*", "bench/*", "cmake/*", "examples/*", "include/*",
                        "integrations/*", "lab/*", "src/*", "tests/data/*"]:
            copy(self, pattern, self._root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)
        needed = {"identify": ["sim"], "haptics": ["geometry"], "viz": ["haptics"], "apps": ["identify", "viz"]}
        for name, below in needed.items():
            for other in below:
                if self.options.get_safe(name) and not self.options.get_safe(other):
                    raise ConanInvalidConfiguration(f"the option {name} needs {other}")

    def requirements(self):
        if self.options.sim:
            self.requires("sundials/6.4.1")
        if self.options.identify:
            self.requires("ceres-solver/2.1.0")
            self.requires("eigen/3.4.0")
        if self.options.identify or self.options.geometry:
            self.requires("fmt/9.1.0", transitive_headers=True)
        if self.options.geometry:
            self.requires("openvdb/10.0.1")
            self.requires("onetbb/2021.10.0")
            self.requires("imath/3.1.9")
        if self.options.viz:
            self.requires("libpng/1.6.43")
        if self.options.viz or self.options.apps:
            self.requires("nlohmann_json/3.11.3")
        if self.options.apps:
            self.requires("tomlplusplus/3.3.0")
            self.requires("cli11/2.3.2")

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for name, variable in OPTIONS.items():
            toolchain.cache_variables[variable] = bool(self.options.get_safe(name))
        for variable in ["STICTION_ENGINES", "STICTION_PYTHON", "STICTION_TESTS"]:
            toolchain.cache_variables[variable] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # The package brings its own CMake files, which know components and what these need.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "stiction")]
