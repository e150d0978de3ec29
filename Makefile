# What one does with a clone of Bakelite; `make` alone lists it.

SWIFT ?= swift

# What the build asks of Debian: sound, the decoders, HTTP, XML, pins; certificates for https stations.
PACKAGES = libasound2-dev libmad0-dev libfaad-dev libspeexdsp-dev libcurl4-openssl-dev libexpat1-dev \
  libgpiod-dev ca-certificates

# No symbol is left to be bound while sound is due (`-z now`), and Swift's libraries are in the program.
RELEASE = -c release --static-swift-stdlib -Xlinker -z -Xlinker now

# Tests in which sound goes in real time: they run by themselves, since a busy machine is late.
PACED = ^(ScenarioTests|CommandLineTests|AudioOutputTests|StationTests)\.

SOURCES = Sources Tests Package.swift

.DEFAULT_GOAL := help
.PHONY: help demo test sanitize soak figures hours fuzz fuzz-short build setup lint format clean

help: ## List what can be made
	@sed -n 's/^\([a-z-]*\):[^#]*## /  make \1	/p' $(firstword $(MAKEFILE_LIST)) | expand -t 19

demo: build ## Play the built-in demo station; DEMO_SECONDS=15 make demo ends by itself
	@config/demo/demo.sh

test: build ## Run every test that needs no extra hardware
	@echo 'Building the tests.'
	@$(SWIFT) build --build-tests
	@$(SWIFT) test --skip-build --skip '$(PACED)'
	@$(SWIFT) test --skip-build --filter '$(PACED)'
	@BAKELITE_COMMANDS=100000 $(SWIFT) test --skip-build --filter LoadTests

soak: build ## Play a real Icecast through ALSA for ten minutes; SOAK_SECONDS=60 make soak is a short one
	@Tests/Bench/soak.py .build/release/bakelite $(or $(SOAK_SECONDS),600)

figures: build ## Measure Bakelite beside MPD: instructions, CPU time, wake-ups, memory, first sound
	@Tests/Bench/figures.py .build/release/bakelite $(or $(FIGURES_SECONDS),60)

hours: build ## Ten hours of audio in minutes: memory stays flat, every sample counts; HOURS=1 make hours is short
	@Tests/Bench/hours.py .build/release/bakelite $(or $(HOURS),10)

sanitize: setup ## The same tests under AddressSanitizer and ThreadSanitizer
	@SWIFT='$(SWIFT)' PACED='$(PACED)' Tests/Sanitizers/run

fuzz: setup ## Fuzz every parser and decoder, FUZZ_RUNS (10,000,000) times each, and a tenth of that under a sanitizer
	@SWIFT='$(SWIFT)' FUZZ_SANITIZER=none Tests/Fuzz/run
	@SWIFT='$(SWIFT)' FUZZ_RUNS=$$(($${FUZZ_RUNS:-10000000} / 10)) Tests/Fuzz/run

fuzz-short: setup ## The same under AddressSanitizer for seconds, as CI does
	@SWIFT='$(SWIFT)' FUZZ_RUNS=20000 FUZZ_SECONDS=6 FUZZ_SEED=1 FUZZ_JOBS=$$(nproc) Tests/Fuzz/run

build: setup ## Build .build/release/bakelite
	@echo 'Building Bakelite; the first time takes some minutes.'
	@$(SWIFT) build $(RELEASE)

setup: ## Install the Debian packages that are missing
	@command -v $(SWIFT) >/dev/null || { \
	  echo 'Swift is missing; install it as https://www.swift.org/install/linux says, then try again.' >&2; exit 1; }
	@command -v dpkg-query >/dev/null || { \
	  echo 'This is not Debian; the build needs what Debian calls $(PACKAGES).'; exit 0; }; missing=; \
	for name in $(PACKAGES); do \
	  test "$$(dpkg-query -W -f '$${db:Status-Status}' $$name 2>/dev/null)" = installed || missing="$$missing $$name"; \
	done; \
	test -n "$$missing" || exit 0; \
	echo "Installing with apt-get:$$missing"; \
	if test "$$(id -u)" = 0; then root=; else root=sudo; fi; \
	$$root true || { echo "That needs root; as root, run: apt-get install$$missing" >&2; exit 1; }; \
	apt="$$root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0"; \
	$$apt update || echo 'apt-get update had trouble; going on with the package lists that are here.'; \
	$$apt install -y --no-install-recommends $$missing

lint: ## Check the style of the sources
	@$(SWIFT) format lint --strict -r $(SOURCES)

format: ## Give the sources their style
	@$(SWIFT) format -i -r $(SOURCES)

clean: ## Remove what was built
	@$(SWIFT) package clean
