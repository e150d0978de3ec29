# Targets for a clone of Bakelite; `make` without a target lists them.

SWIFT ?= swift
PYTHON ?= python3

# Debian packages for the build: sound, the decoders, HTTP, AES, XML, JSON, TOML, MQTT, the web panel's HTTP and
# passwords, GPIO, D-Bus; certificates for https stations.
PACKAGES = libasound2-dev libmad0-dev libmpg123-dev libfaad-dev libogg-dev libvorbis-dev libopus-dev libflac-dev \
  libspeexdsp-dev libkissfft-dev libcurl4-openssl-dev \
  libssl-dev libexpat1-dev libcjson-dev libtomlplusplus-dev libmosquitto-dev \
  libmicrohttpd-dev libcrypt-dev \
  libgpiod-dev libsystemd-dev ca-certificates

# -z now: binds all symbols at the start, so that none delays the audio later. --static-swift-stdlib: links Swift's
# libraries statically. --disable-local-rpath: the programs search no library in their own folder, where another user
# might place one. SAME: omits a hash of intermediate code that differs in each build. SMALL: a cold start reads less,
# because equal functions, packed relocations (glibc 2.36), and symbols for plug-ins cost no pages, and the functions of
# a start (config/start-order.txt) are neighbours; needs Swift's lld.
SAME = -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
SMALL = -Xswiftc -use-ld=lld -Xlinker --icf=safe -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic \
  -Xswiftc -Xfrontend -Xswiftc -function-sections \
  -Xlinker '--symbol-ordering-file=$(CURDIR)/config/start-order.txt' -Xlinker --no-warn-symbol-ordering
RELEASE = -c release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now $(SAME) $(SMALL)

SOURCES = Sources Tests Package.swift

# Folder for the figures of a measurement. PUBLISH=1 replaces the figures of the documents, and redraws their plots.
MEASURED = $(if $(PUBLISH),Tests/Tools/Bench,.build/measured)

.DEFAULT_GOAL := help
.PHONY: help demo try check test deep tests docs pictures clients sanitize soak figures files recording taps hostile hours directory
.PHONY: day fuzz fuzz-short mutants build deb release setup lint format clean board-test card card-test wifi-test
.PHONY: web-page web-api web-pictures find-figures arm64-tests cuts outage hls-outage hls-figures relocation browsing rooms zap
.PHONY: growth-figures start-figures prefetch-figures rooms-faults boxes containers setup-tests families aac-figures
.PHONY: box-figures start-order mirrors joins

help: ## List the targets of this Makefile
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## /  make \1	/p' $(firstword $(MAKEFILE_LIST)) | expand -t 19

demo: build ## Play the built-in demo station; DEMO_SECONDS=15 make demo stops after 15 s
	@config/demo/demo.sh

check: setup lint tests ## Check style, unit tests and the rules of this repository, within minutes
	@Tests/run units gates

try: ## Build and run the unit tests of one target: make try TARGET=Framing; without TARGET, list the targets
	@SWIFT='$(SWIFT)' Tests/try '$(TARGET)' '$(SUITE)'

test: build tests ## Run every test that needs no extra hardware
	@Tests/run

deep: ## List the long tests; PART=soak make deep runs one part and saves its figures in .build/deep.log
	@SWIFT='$(SWIFT)' PART='$(PART)' Tests/deep

tests: setup ## Build the tests; swift test --skip-build --filter TARGET.SUITE then runs one suite
	@echo 'Building the tests.'
	@BAKELITE_TESTS_WITHOUT= $(SWIFT) build --build-tests -Xswiftc -gline-tables-only

docs: tests ## Build the reference of all targets, .build/docs/TARGET.doccarchive; fails on warnings
	@Tests/Tools/Docs/run

pictures: ## Redraw the pictures of the documents: display, wiring, a lost connection, costs, station changes
	@Tests/Tools/Pictures/draw

clients: build ## Control a radio with mpc, python-mpd2, ncmpcpp, shairport-sync, MQTT and keys; compare it with MPD
	@$(SWIFT) build $(RELEASE) --product DirectoryBench
	@$(PYTHON) Tests/Tools/Clients/clients.py .build/release/bakelite
	@$(PYTHON) Tests/Tools/Clients/assistants.py .build/release/bakelite
	@$(PYTHON) Tests/Tools/Clients/compare.py .build/release/bakelite
	@$(PYTHON) Tests/Tools/Clients/panel.py .build/release/bakelited
	@$(PYTHON) Tests/Tools/Clients/airplay.py .build/release/bakelite
	@$(PYTHON) Tests/Tools/Clients/home.py .build/release/bakelite
	@$(PYTHON) Tests/Tools/Clients/announce.py .build/release/bakelite

web-page: build ## Use each control of the web panel in a real browser; check accessibility, sizes and times
	@$(SWIFT) build $(RELEASE) --product DirectoryBench
	@$(PYTHON) Tests/Tools/Web/controls.py .build/release/bakelite
	@$(PYTHON) Tests/Tools/Web/houses.py .build/release/bakelite
	@$(PYTHON) Tests/Tools/Web/access.py .build/release/bakelite
	@$(PYTHON) Tests/Tools/Web/figures.py .build/release/bakelite

web-api: build ## Call each operation of the web panel's API, read its metrics, and load it with 200 clients
	@$(SWIFT) build $(RELEASE) --product DirectoryBench
	@$(PYTHON) Tests/Tools/Web/api.py .build/release/bakelite
	@$(PYTHON) Tests/Tools/Web/crowd.py .build/release/bakelite

web-pictures: build ## Take pictures of the web panel, .build/web-pictures: nine pages, three sizes, two themes, two languages
	@$(SWIFT) build $(RELEASE) --product DirectoryBench
	@$(PYTHON) Tests/Tools/Web/pictures.py .build/release/bakelite .build/web-pictures

soak: build ## Play a real Icecast through ALSA for ten minutes; SOAK_SECONDS=60 make soak is shorter
	@Tests/Tools/Bench/soak.py .build/release/bakelite $(or $(SOAK_SECONDS),600)

containers: build ## Play Ogg Vorbis, Opus and FLAC from a real Icecast, and compare; CONTAINERS_SECONDS=60 is shorter
	@$(PYTHON) Tests/Tools/Bench/containers.py .build/release/bakelite $(or $(CONTAINERS_SECONDS),600)

rooms: build ## Play in two rooms with a real snapserver for 35 minutes, and compare; ROOMS_SECONDS=60 is shorter
	@$(PYTHON) Tests/Tools/Bench/rooms.py .build/release/bakelite $(or $(ROOMS_SECONDS),2100)

boxes: build ## Control a radio and its two rooms, each in a separate network; as root
	@$(PYTHON) Tests/Tools/Clients/boxes.py .build/release/bakelite

rooms-faults: build ## Pause, zap and kill the playback in two rooms; check audio and reports after each
	@$(PYTHON) Tests/Tools/Bench/rooms-faults.py .build/release/bakelite .build/release/bakelited

figures: build .build/zap/card.so ## Compare Bakelite with MPD, mpg123 and mpv: cost by codec, box, station change, wake-ups, memory
	@mkdir -p $(MEASURED)
	@status=0; $(PYTHON) Tests/Tools/Bench/costs.py .build/release/bakelite .build/release/bakelited \
	  $(CURDIR)/.build/zap/card.so $(MEASURED)/codecs.csv || status=1; \
	  $(if $(PUBLISH),Tests/Tools/Pictures/draw || status=1;) \
	  Tests/Tools/Bench/figures.py .build/release/bakelite $(or $(FIGURES_SECONDS),20) || status=1; exit $$status

outage: build ## Interrupt a connection, compared with MPD, and record the audible second of the programme
	@mkdir -p $(MEASURED)
	@Tests/Tools/Bench/outage.py .build/release/bakelite $(MEASURED)/outage.csv

.build/zap/card.so: Tests/Support/Shims/card.c Tests/Support/CCard/CCard.c
	@mkdir -p .build/zap
	@cc -shared -fPIC -O1 -o $@ $< -lasound

zap: build .build/zap/card.so ## Change the station on a simulated card, the null sink and a pipe, by stage beside MPD; CHANGES=200 is long
	@mkdir -p $(MEASURED)
	@Tests/Tools/Bench/zap.py .build/release/bakelite $(CURDIR)/.build/zap/card.so $(or $(CHANGES),40) $(MEASURED)/zap.csv
	@$(if $(PUBLISH),Tests/Tools/Pictures/draw)

joins: build ## Join two stations of one programme with different encoders; JOINS=200 FOREIGN=50 make joins is long
	@$(PYTHON) Tests/Tools/Bench/joins.py .build/release/bakelite $(or $(JOINS),24) $(or $(FOREIGN),12) $(SEED)

families: build ## Play from servers with the faults of real ones, and check what is heard; FAMILIES=1,7 selects
	@$(PYTHON) Tests/Tools/Families/families.py .build/release/bakelite $(FAMILIES)

mirrors: build ## Play two servers of one encoder with 100 faults at random, and compare; FAULTS=10 SEED=7 CODECS=mp3,hls
	@Tests/Tools/Bench/mirrors.py .build/release/bakelite "$(FAULTS)" "$(SEED)" "$(CODECS)"

hls-outage: build ## Disconnect the network of an HLS station for 1 to 30 s; LOST=3,10 make hls-outage selects seconds
	@Tests/Tools/Bench/hls-outage.py .build/release/bakelite $(LOST)

hls-figures: build ## Measure the cost of an HLS station, compared with Icecast; SECONDS=20 make hls-figures is shorter
	@Tests/Tools/Bench/hls-figures.py .build/release/bakelite $(or $(SECONDS),60)

files: build ## Seek in 300 MB on a real nginx, and kill it twenty times; MEGABYTES=30 make files is shorter
	@Tests/Tools/Bench/files.py .build/release/bakelite $(or $(MEGABYTES),300)

recording: build ## Record MP3 and AAC for ten minutes through cut connections; compare; RECORD_SECONDS=60 is shorter
	@Tests/Tools/Bench/recording.py .build/release/bakelite $(or $(RECORD_SECONDS),600)

taps: setup ## Measure the cost of volume, mono, a tap, levels and spectrum, in instructions
	@$(SWIFT) build $(RELEASE) --product TapBench
	@$(PYTHON) Tests/Tools/Bench/taps.py .build/release/TapBench

directory: setup ## Measure the station directory: file, update and search, with 40,000 and 400,000 stations
	@$(SWIFT) build $(RELEASE) --product DirectoryBench
	@$(PYTHON) Tests/Tools/Bench/directory.py .build/release/DirectoryBench

box-figures: build ## Measure the control thread and memory of the box with its panel in a terminal; needs valgrind
	@$(PYTHON) Tests/Tools/Bench/box.py .build/release/bakelited

start-figures: build ## Measure the bytes and the waits for the disk of a cold start beside MPD and mpg123; as root
	@$(PYTHON) Tests/Tools/Bench/start.py .build/release/bakelite

start-order: build ## Profile the start of the programs, and list its functions in config/start-order.txt for the linker
	@$(PYTHON) Tests/Tools/Bench/order.py .build/release/bakelite .build/release/bakelited config/start-order.txt

prefetch-figures: build ## Measure instructions and memory of stations that are received in advance; needs valgrind
	@$(PYTHON) Tests/Tools/Bench/prefetch.py .build/release/bakelited

growth-figures: build ## Check that no cost grows faster than presets, clients, titles and blocks; needs valgrind
	@$(PYTHON) Tests/Tools/Bench/growth.py .build/release/bakelited .build/release/bakelite

find-figures: build ## Measure bakelite find with 40,000 stations: an update from a local server, and searches
	@$(SWIFT) build $(RELEASE) --product DirectoryBench
	@$(PYTHON) Tests/Tools/Bench/find.py .build/release/bakelite .build/release/DirectoryBench

hostile: setup ## Read 10 MB of each hostile kind of list and feed; print time and memory as a table
	@BAKELITE_TESTS_WITHOUT="$$(find Tests -mindepth 2 -maxdepth 2 -name '*Tests' ! -name ListingsTests -printf '%f ')" \
	  $(SWIFT) build --build-tests --scratch-path .build/optimized
	@NO_COLOR=1 BAKELITE_FIGURES=1 BAKELITE_OPTIMIZED=1 .build/optimized/debug/bakelitePackageTests.xctest \
	  --testing-library swift-testing --filter HostileCostTests

relocation: setup ## Simulate ten years of moving stations with each policy; YEARS=1 make relocation is shorter
	@BAKELITE_TESTS_WITHOUT="$$(find Tests -mindepth 2 -maxdepth 2 -name '*Tests' ! -name BoxTests -printf '%f ')" \
	  $(SWIFT) build --build-tests --scratch-path .build/optimized
	@NO_COLOR=1 BAKELITE_YEARS=$(or $(YEARS),10) .build/optimized/debug/bakelitePackageTests.xctest \
	  --testing-library swift-testing --filter RelocationSimulationTests

browsing: setup ## Measure clients that browse and search 40,000 stations; print time and memory of each command
	@BAKELITE_TESTS_WITHOUT="$$(find Tests -mindepth 2 -maxdepth 2 -name '*Tests' ! -name ControlTests -printf '%f ')" \
	  $(SWIFT) build --build-tests --scratch-path .build/optimized
	@NO_COLOR=1 BAKELITE_FIGURES=1 BAKELITE_OPTIMIZED=1 .build/optimized/debug/bakelitePackageTests.xctest \
	  --testing-library swift-testing --filter BrowseCostTests

hours: build ## Play ten hours of audio in minutes; check memory and each sample; HOURS=1 make hours is shorter
	@Tests/Tools/Bench/hours.py .build/release/bakelite $(or $(HOURS),10)

day: tests ## Simulate a day of the box in five minutes; check that memory stays constant; HOURS=1 make day is shorter
	@BAKELITE_HOURS=$(or $(HOURS),24) $(SWIFT) test --skip-build --filter BoxDayTests/simulated

sanitize: setup ## Run the tests under AddressSanitizer, then under ThreadSanitizer
	@SWIFT='$(SWIFT)' Tests/Tools/Sanitizers/run address
	@SWIFT='$(SWIFT)' Tests/Tools/Sanitizers/run thread

fuzz: setup ## Fuzz every parser and decoder, FUZZ_RUNS (10,000,000) times each, and a tenth of that under a sanitizer
	@SWIFT='$(SWIFT)' FUZZ_SANITIZER=none Tests/Tools/Fuzz/run
	@SWIFT='$(SWIFT)' FUZZ_RUNS=$$(($${FUZZ_RUNS:-10000000} / 10)) Tests/Tools/Fuzz/run

fuzz-short: setup ## Fuzz under AddressSanitizer for seconds, as in CI
	@SWIFT='$(SWIFT)' FUZZ_RUNS=20000 FUZZ_SECONDS=2 FUZZ_SEED=1 FUZZ_JOBS=$$(nproc) Tests/Tools/Fuzz/run

mutants: setup ## Remove each cell of the state machines in turn; the tests must fail each time
	@SWIFT='$(SWIFT)' $(PYTHON) Tests/Tools/Mutants/run

build: setup ## Build .build/release/bakelite
	@echo 'Building Bakelite; the first build needs some minutes.'
	@for program in bakelite bakelited bakelite-web; do $(SWIFT) build $(RELEASE) --product $$program || exit; done

board-test: ## Test the arm64 build on a virtual board in QEMU, by its knob and buttons; as root, see image/board
	@parts=$$(image/board/build) && $(PYTHON) image/board/test.py "$$(echo "$$parts" | tail -n 1)"

card: ## Build the SD card image, .build/image/bakelite-VERSION.img.xz; as root, see image
	@image/card/build

card-test: ## Boot the SD card image in QEMU and cut its power ten times; CUTS=3 make card-test is shorter
	@card=$$(image/card/build unpacked) && parts=$$(image/board/build) && \
	  $(PYTHON) image/card/test.py "$$(echo "$$card" | tail -n 1)" "$$(echo "$$parts" | tail -n 1)" $(or $(CUTS),10)

wifi-test: ## Test that the SD card image joins a wireless network in QEMU; as root
	@image/card/wifi-test

arm64-tests: ## Run the unit tests of the arm64 build on an emulated processor; as root
	@image/arm64-tests

aac-figures: ## Count the arm64 instructions of Debian's and the card's AAC decoder; as root
	@image/decoders/run config/demo/bakelite-demo.aac

cuts: build ## Cut the power of a radio 1,000 times while it writes; as root; CUTS=50 make cuts is shorter
	@Tests/Tools/Bench/cuts.py .build/release/bakelite .build/release/bakelited $(or $(CUTS),1000)

deb: PACKAGES += dpkg-dev fakeroot man-db python3
deb: build ## Build the Debian package .build/bakelite_VERSION_ARCH.deb
	@config/deb/build

release: PACKAGES += dpkg-dev fakeroot
# Without random numbers of the compiler and random addresses, a commit always produces the same bytes.
release: export SWIFT_DETERMINISTIC_HASHING = 1
release: SWIFT := $(shell setarch -R true 2>/dev/null && echo setarch -R) $(SWIFT)
release: build ## Gather packages, card image, man pages and checksums; as root; PARTS=deb omits the card image
	@image/release

setup: ## Install missing Debian packages
	@command -v $(SWIFT) >/dev/null || { \
	  echo 'error: Swift is missing; install it from https://www.swift.org/install/linux.' >&2; exit 1; }
	@command -v dpkg-query >/dev/null || { \
	  echo 'This is not Debian; install the equivalents of the packages $(PACKAGES).'; exit 0; }; missing=; \
	for name in $(PACKAGES); do \
	  test "$$(dpkg-query -W -f '$${db:Status-Status}' $$name 2>/dev/null)" = installed || missing="$$missing $$name"; \
	done; \
	test -n "$$missing" || exit 0; \
	echo "Installing with apt-get:$$missing"; \
	if test "$$(id -u)" = 0; then root=; else root=sudo; fi; \
	$$root true || { echo "error: The installation needs root; as root, run: apt-get install$$missing" >&2; exit 1; }; \
	apt="$$root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0"; \
	$$apt update || echo 'apt-get update failed; continuing with the existing package lists.'; \
	$$apt install -y --no-install-recommends $$missing

setup-tests: PACKAGES += mosquitto mosquitto-clients mpc
setup-tests: setup ## Install also the packages of tests that are skipped without them: a broker, and mpc

lint: ## Check the style of the sources
	@$(SWIFT) format lint --strict -r $(SOURCES)

format: ## Format the sources
	@$(SWIFT) format -i -r $(SOURCES)

clean: ## Remove the build results
	@$(SWIFT) package clean
