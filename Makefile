# Builds of the program. `make` alone builds $(EXE) for this machine, as OpenBench expects it;
# `make help` lists the rest, and docs/building.md explains it.

EXE     ?= tessera
CARGO   ?= cargo
RUSTC   ?= rustc
# Everything that is made on the way.
TARGET  ?= target
DIST    ?= $(TARGET)/dist
PROFILE := $(abspath $(TARGET))/profile

ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
# OpenBench leaves the ending out.
OUTPUT := $(EXE:$(SUFFIX)=)$(SUFFIX)

LEVELS := x86-64-v1 x86-64-v2 x86-64-v3 x86-64-v3-slow-pext x86-64-v4

# What a level means to the compiler. The code for processors that gather bits slowly, Zen 1 and 2,
# does without that instruction.
flags = -C target-cpu=$(patsubst x86-64-v1,x86-64,$(1:-slow-pext=)) \
        $(if $(findstring slow-pext,$1),-C target-feature=-bmi2)

# Builds with the compiler's flags $1 in the folder $2, and copies the program to $3.
define build
	RUSTFLAGS="$(strip $1 $(RUSTFLAGS_EXTRA))" \
	    $(CARGO) build --release --locked --bin tessera --target-dir "$2" $(FEATURES)
	cp "$2/release/tessera$(SUFFIX)" "$3"
endef

.PHONY: native
native: no-network-file
	$(call build,-C target-cpu=native,$(TARGET),$(OUTPUT))

# A network is chosen by the option EvalFile of the protocol, not when the program is built. To
# leave the request out in silence would be to test something else.
.PHONY: no-network-file
no-network-file:
ifdef EVALFILE
	$(error EVALFILE is not supported: put the network into nets/, or set the option EvalFile)
endif

.PHONY: $(LEVELS)
$(LEVELS): no-network-file
	$(call build,$(call flags,$@),$(TARGET)/$@,$(OUTPUT))

# For any processor of this kind, such as all of aarch64.
.PHONY: generic
generic: no-network-file
	$(call build,-C target-cpu=generic,$(TARGET)/$@,$(OUTPUT))

# Guided by a profile of `bench`: built with counters, run, and built again for what was counted.
# LEVEL is native or one of the levels.
LEVEL    ?= native
PROFDATA ?= $(firstword $(wildcard $(shell $(RUSTC) --print sysroot)/lib/rustlib/*/bin/llvm-profdata$(SUFFIX)))

.PHONY: pgo
pgo: no-network-file
ifeq ($(PROFDATA),)
	$(error llvm-profdata is missing: 'rustup component add llvm-tools' installs it, or name one of the same LLVM by PROFDATA=)
endif
	rm -rf "$(PROFILE)"
	$(call build,$(call flags,$(LEVEL)) -C profile-generate=$(PROFILE),$(TARGET)/pgo,$(PROFILE)-program)
	"$(PROFILE)-program" bench
	"$(PROFDATA)" merge -o "$(PROFILE)/merged.profdata" "$(PROFILE)"
	$(call build,$(call flags,$(LEVEL)) -C profile-use=$(PROFILE)/merged.profdata,$(TARGET)/pgo,$(OUTPUT))
	rm -f "$(PROFILE)-program"

# One program for all: the code for any processor, which carries the others and becomes the one that
# fits when it is started. Linux on x86-64 only.
.PHONY: universal
universal: no-network-file
	mkdir -p "$(DIST)"
	for level in $(filter-out x86-64-v1,$(LEVELS)); do \
	    $(MAKE) $$level EXE="$(DIST)/$$level" || exit 1; \
	done
	TESSERA_BUILDS="$(abspath $(DIST))" $(MAKE) x86-64-v1 EXE="$(EXE)" FEATURES="--features universal"

.PHONY: clean
clean:
	$(CARGO) clean

.PHONY: help
help:
	@echo "make [EXE=name]                 for this machine"
	@echo "make LEVEL [EXE=name]           for any processor of a level:"
	@echo "                                $(LEVELS)"
	@echo "make generic [EXE=name]         for any processor of this kind"
	@echo "make pgo [LEVEL=level]          guided by a profile; needs llvm-profdata"
	@echo "make universal                  one program that picks what fits; Linux on x86-64"
	@echo "tools/release.sh                archives of all levels, with checksums"
