# Targets are listed by `make`.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c

# The program is built and tested as it is shipped: without cgo.
export CGO_ENABLED := 0
# A tree in another folder, as some tests make, is then not compiled again.
export GOFLAGS := $(strip $(GOFLAGS) -trimpath)

CACHE       := $(or $(BENCH_CACHE),.cache)
# Both are empty without git or a repository.
VERSION     := $(shell git describe --tags --always --dirty 2>/dev/null)
COMMIT      := $(shell git rev-parse HEAD 2>/dev/null)
RECORD      := example.org/bench/framework/record
BUILD       := go build -buildvcs=false -ldflags '-X $(RECORD).version=$(VERSION) -X $(RECORD).commit=$(COMMIT)'
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.8.0
# The list of weaknesses of Go modules, from which govulncheck takes those of ours.
WEAKNESSES  := https://vuln.go.dev
DIST        := go run ./tools/dist -version '$(VERSION)' -commit '$(COMMIT)' -epoch $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
PACKAGES    := ./...
# The tests that take longest: they start first, so that no processor waits for
# them at the end. Of lab's, too.
LONG        := $(addprefix example.org/bench/,command test/cheats test/confined gpu/cuda/sim framework/engine algorithms/kernel framework/measure test/fleet algorithms/qr framework/record plots algorithms/fft test/docs tools/dist tuning/search tuning/strategy)
LONG_LAB    := $(addprefix example.org/bench/lab/,opencl compile guest ptx torture browser arm64 weakness scale)
# The program's own tests that cover every board in lab's, where make test takes one.
BOARDS      := -run 'Compile|TestShelf|TestInstalledPackage|TestFirstHour' ./algorithms/... ./test/fleet ./tools/dist ./test/docs
# The packages that use more than one thread. Under the race detector their
# tests leave out what takes long in one thread (-short).
CONCURRENT  := ./framework/... ./tuning/... ./analysis/... ./sensors/... ./gpu/... ./internal/dynlib

# The libraries that tools/fetch-test-env unpacked; nothing before it has run.
ENVIRONMENT := if [ -e $(CACHE)/env.sh ]; then . $(CACHE)/env.sh; fi

# Tests make and remove thousands of files, for which a file system on a disk takes as much
# time as for the tests: in memory where there is enough of it. The folder's name is
# always the same, so that go test still knows results of before, and all may write there as in /tmp.
MEMORY := shm=/dev/shm/bench-$$(id -u); \
	if [ -z "$${TMPDIR:-}" ] && [ "$$(df --output=avail /dev/shm 2>/dev/null | tail -1)" -gt 6000000 ] 2>/dev/null && \
	  [ "$$(awk '/^MemAvailable/ { print $$2 }' /proc/meminfo)" -gt 12000000 ] && mkdir -p -m 1777 $$shm && [ -O $$shm ]; then \
	  runs=$$(mktemp -p $$shm); if cp "$$(type -P true)" $$runs && chmod +x $$runs && $$runs; then export TMPDIR=$$shm; fi; rm -f $$runs; fi

# A program of lab, as lab/run builds it.
STUDY := lab/run

.PHONY: help build arm64 man site pictures dist dist-check release run test lab fresh race test-gpu slurm scale overhead sim-cost history gates torture mutants kernel-mutants references golden lint weaknesses clean

help: ## print the targets
	@awk -F ':[^#]*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build ./bench
	@[ -e bench ] || echo "building ./bench: the first time takes one to three minutes, most of it for Go's modules (120 MB)"
	@$(BUILD) -o bench ./cmd/bench

arm64: ## build ./bench-arm64, for a Jetson
	@GOARCH=arm64 $(BUILD) -o bench-arm64 ./cmd/bench

man: build ## write the manual pages to man/man1
	@./bench man man/man1

site: ## make the pages as a site in site, to be opened as files: site/index.html (needs Hugo: Debian's hugo)
	@$(ENVIRONMENT); hugo=$$(type -P hugo || true); hugo=$${BENCH_HUGO:-$$hugo}; \
	[ -n "$$hugo" ] || { echo "make site needs Hugo: install Debian's package hugo, or fetch it without root by tools/fetch-test-env hugo" >&2; exit 1; }; \
	HUGO_CACHEDIR=$$(mktemp -d) && export HUGO_CACHEDIR && trap 'rm -rf "$$HUGO_CACHEDIR"' EXIT && \
	{ said=$$("$$hugo" --noBuildLock --cleanDestinationDir --source tools/site --destination '$(CURDIR)/site' 2>&1) || { echo "$$said" >&2; exit 1; }; } && \
	echo "site: open site/index.html"

pictures: build ## draw the pictures of README and docs anew, from published results (needs Chromium: tools/fetch-test-env chromium)
	@$(ENVIRONMENT); tools/pictures ./bench

dist: ## make the archives (Linux, macOS, Windows), Debian packages and the list of parts (needs dpkg-deb) in dist
	@rm -f dist/bench-* dist/SHA256SUMS # of another version, which would be tried and published too
	@$(DIST) -out dist

# Nothing that the first time compiled is taken for the second.
dist-check: dist ## make them again in another folder: the bytes are the same (minutes)
	@other=$$(mktemp -d); trap 'chmod -R u+w '$$other'; rm -rf '$$other EXIT; \
	git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -C $$other -xf -; \
	(cd $$other; GOCACHE=$$other/.gocache $(DIST) -out dist >/dev/null); \
	for archive in dist/*.tar.gz dist/*.zip dist/*.deb dist/SHA256SUMS; do cmp $$archive $$other/$$archive; done; \
	echo "dist: the same bytes in another folder"

release: dist-check ## add the site to dist, and try the Debian packages alone in minimal roots of Debian 11, 12 and 13, that for arm64 under QEMU (needs root and mmdebstrap)
	@tools/fetch-test-env arm64 hugo
	@$(ENVIRONMENT); for package in dist/bench-*-linux-*.deb; do FRESH=$(CURDIR)/fresh FRESH_DEB=$$package tools/fresh; done
	@cd dist; archive=bench-$(VERSION)-site.tar.gz; \
	pack() { make --no-print-directory -C .. site >&2 && tar --sort=name --mtime=@$$(git log -1 --format=%ct) --owner=0 --group=0 --numeric-owner --mode=go=rX,u+w -C .. -c site | gzip -9n; }; \
	pack >$$archive && pack | cmp - $$archive && sha256sum $$archive >>SHA256SUMS && sha256sum --quiet -c SHA256SUMS && cat SHA256SUMS

# The peers' libraries are fetched if the system has none and there is a
# network; otherwise the run does without them. The system's NVRTC takes
# precedence.
run: build ## build, then run configs/fft.json on what this machine has
	@want=(); libraries=$$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null || true); \
	grep -q 'libfftw3f\.so\.3' <<<"$$libraries" || want+=(peers); \
	[ ! -e /dev/nvidiactl ] || grep -q 'libnvrtc\.so' <<<"$$libraries" || want+=(nvrtc); \
	[ $${#want[@]} = 0 ] || timeout 300 tools/fetch-test-env "$${want[@]}" || echo "make run: goes on without $${want[*]}, which was not fetched or unpacked in five minutes"; \
	nvrtc=$${BENCH_NVRTC:-}; $(ENVIRONMENT); \
	BENCH_NVRTC=$$nvrtc ./bench run configs/fft.json

# Some tests wait, such as for what hangs: a third package fills that time. make lint vets. Without
# symbols (-s) a test is linked in two thirds of the time; traces of a panic do not need them.
# $(call tests,FOLDER OF THE MODULE,LONG ONES) is go test with the packages in that order.
tests = all=$$(go list -C $(1) ./...); go test -C $(1) -json -vet=off -ldflags=-s -p 3 -timeout 30m \
	$$(printf '%s\n' $(2) | grep -xFf <(echo "$$all") || true) $$(grep -vxF $(2:%=-e %) <<<"$$all" || true)
# What report holds is tools/testreport, and it ends with the recipe.
REPORT := report=$$(mktemp); trap 'rm -f $$report' EXIT; go build -o $$report ./tools/testreport

test: ## fetch what the tests need and run them
	@tools/fetch-test-env
	@$(ENVIRONMENT); $(MEMORY); $(REPORT); { $(call tests,.,$(LONG)); } | $$report

# Always anew: go test does not see that files outside of its module change, such as results
# and pages that these tests read.
lab: ## fetch what the trials in lab need and run their short forms: a browser, arm64, a guest, every board, torture (tens of minutes)
	@tools/fetch-test-env lab
	@$(ENVIRONMENT); $(MEMORY); $(REPORT); \
	{ failed=; BENCH_BOARDS=all go test -json -vet=off -p 3 -timeout 30m $(BOARDS) || failed=yes; \
	$(call tests,lab,$(LONG_LAB)) -count=1 && [ -z "$$failed" ]; } | $$report

fresh: ## do what README says in minimal roots of Debian 12 and 13 (needs root and mmdebstrap; an hour)
	@tools/fresh

race: ## run the concurrent packages' tests under the race detector (needs a C compiler)
	@tools/fetch-test-env
	@$(ENVIRONMENT); CGO_ENABLED=1 go test -race -short -timeout 15m $(CONCURRENT)

test-gpu: ## also run the tests that need a GPU
	@nvrtc=$${BENCH_NVRTC:-}; $(ENVIRONMENT); export BENCH_NVRTC=$$nvrtc; \
	failed=; go test -tags gpu -timeout 30m $(PACKAGES) || failed=yes; \
	go test -C lab -count=1 -tags gpu -timeout 30m $(PACKAGES) && [ -z "$$failed" ]

slurm: ## run bench fleet on a Slurm of this machine's, whose nodes and controller are killed (minutes; SLURM_TASKS=1000: half an hour)
	@tools/fetch-test-env slurm
	@$(ENVIRONMENT); go test -count=1 -tags slurm -timeout 6h -v -run 'Slurm' ./test/fleet -tasks $(or $(SLURM_TASKS),12) $(if $(SLURM_EVENTS),-events $(abspath $(SLURM_EVENTS)))

SCALE ?= -verbs 10000,100000,1000000
scale: build ## measure what the verbs that read results take for 10^4 to 10^6 rows (an hour; SCALE='-verbs 10000,100000': minutes)
	@nice -n 10 $(STUDY) scale $(SCALE)

overhead: build ## print the tool's own cost: time of each verb, cost of a point, memory
	@faulty=$$(mktemp); trap 'rm -f $$faulty' EXIT; go build -o $$faulty ./test/faulty/program; $(STUDY) overhead ./bench $$faulty

sim-cost: build ## print the processor time of the simulator's checks, beside the plain form (many minutes)
	@$(STUDY) simcost ./bench

GATES_CONFIG ?= configs/fft.json
GATES_OUT ?= gates
GATES ?= -runs 20 -repeats 5
HISTORY_SEEDS ?= 1000
history: ## simulate bench history: false alarms, and how soon it finds a step (tens of minutes)
	$(STUDY) history -seeds $(HISTORY_SEEDS) -out results/history

gates: build ## hold many runs of one config against each other: coverage of intervals, false alarms of gates (hours)
	$(STUDY) gates $(GATES) -out $(GATES_OUT) $(GATES_CONFIG)

torture: ## kill, damage, limit and fail what runs, and fuzz the parsers (hours; resumes)
	@BENCH_TORTURE=1 go test -count=1 -timeout 30m -v -run 'EveryFileOperation' ./framework/record
	@nice -n 10 $(STUDY) torture
	@BENCH_DAMAGE=all nice -n 10 go test -C lab -count=1 -timeout 60m -v ./damage
	@nice -n 10 tools/fuzz 17000000x

mutants: ## find changes of the code that no test notices (an hour or more; resumes)
	@tools/fetch-test-env
	@$(ENVIRONMENT); nice -n 19 $(STUDY) mutants

KERNEL_MUTANTS ?= -each 2
kernel-mutants: ## make mistakes in every kernel and see which the simulator names (half an hour; resumes)
	@nice $(STUDY) kernelmutants $(KERNEL_MUTANTS)

references: ## write docs/csv.md, docs/json.md and the tables of docs/config.md from the code
	@go test ./framework/config ./framework/record ./test/references -run 'Document|Reference' -update

golden: ## rewrite the golden files of the tests
	@tools/fetch-test-env lab
	@$(ENVIRONMENT); for module in . lab; do \
	(cd $$module; go test $$(grep -l 'flag.Bool("update"' $$(go list -f '{{range .TestGoFiles}}{{$$.Dir}}/{{.}} {{end}}{{range .XTestGoFiles}}{{$$.Dir}}/{{.}} {{end}}' ./...) | xargs -n 1 dirname | sort -u) -update); done

lint: ## check format, vet, staticcheck and the direction of imports, of both modules
	@for script in tools/fetch-test-env tools/module-path tools/changelog tools/fresh tools/fuzz tools/iterml-replay tools/pictures tools/power-dutycycle tools/power-repeat tools/cpu-affinity tools/tune-gpus lab/run lab/neon-model report/web/build .ci/run; do bash -n $$script; done
	@for module in . lab; do (cd $$module; \
	unformatted=$$(gofmt -l $$(go list -tags gpu -f '{{.Dir}}' $(PACKAGES))); \
	[ -z "$$unformatted" ] || { echo "not formatted by gofmt:"; echo "$$unformatted"; exit 1; }; \
	go mod tidy -diff || { echo "$$module: go.mod is not tidy: run go mod tidy there"; exit 1; }; \
	go vet -tags gpu,slurm,suites $(PACKAGES); \
	GOARCH=arm64 go vet -tags gpu,slurm,suites $(PACKAGES); \
	go run $(STATICCHECK) -tags gpu $(PACKAGES)); done
	@# On other systems what reads results is to build; tests are Linux's.
	@$(STUDY) typecheck darwin/arm64 windows/amd64
	@go test -count=1 ./test/layout
	@$(MAKE) --no-print-directory weaknesses
	@echo "lint: no complaint"

weaknesses: ## search what is linked for known weaknesses, where the list of them can be reached
	@if curl -sSfm 10 -o /dev/null $(WEAKNESSES)/index/db.json; then for module in . lab; do go run $(GOVULNCHECK) -C $$module -db $(WEAKNESSES) $(PACKAGES); done; \
	else echo "lint: $(WEAKNESSES) cannot be reached: known weaknesses are not searched for"; fi

clean: ## remove what was built, and what was fetched
	@rm -rf bench bench-arm64 man site dist $(CACHE)
