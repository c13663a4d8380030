# The targets only name what scripts/ does; each script says what it needs.
.POSIX:
.PHONY: help build web run test lint fmt bench torture vsix vsix-all release release-check audit notice clean

help:
	@echo 'make build     bin/aiglens and the VS Code extension'
	@echo 'make web       out/web: the web page, static files'
	@echo 'make run       the examples in VS Code, with the extension as built from here'
	@echo 'make test      every test: Go with the race detector, extension, real editors'
	@echo 'make lint      gofmt, go vet, staticcheck, TypeScript'
	@echo 'make fmt       format the Go sources'
	@echo 'make bench     the benchmarks of every Go package'
	@echo 'make torture   differential run for TORTURETIME (10m), a day with an editor for SOAKTIME (30m),'
	@echo '               every fuzz test for FUZZTIME (60s)'
	@echo 'make vsix      out/aiglens-TARGET.vsix for this machine'
	@echo 'make vsix-all  the same for all seven platforms'
	@echo 'make release   out/release: packages, programs with manual page and completion, checksums'
	@echo 'make release-check  the same in two clones: their hashes must be equal'
	@echo 'make audit     known faults of what is linked and bundled; needs their databases'
	@echo 'make notice    NOTICE, the licences of what is linked and bundled'
	@echo 'make clean     remove what the above built'

build:
	scripts/build.sh

web:
	@scripts/web.sh

run:
	@scripts/run.sh

test:
	@scripts/test.sh

lint:
	@scripts/lint.sh

fmt:
	gofmt -w $$(scripts/lint.sh --go-files)

bench:
	go test -run '^$$' -bench . -benchmem ./...

torture:
	@scripts/torture.sh

vsix:
	@scripts/package.sh

vsix-all:
	@scripts/package.sh all

release:
	@scripts/release.sh

release-check:
	@scripts/release.sh --check

audit:
	@scripts/audit.sh

notice:
	node scripts/notice.mjs

clean:
	rm -rf bin out vscode-extension/bin vscode-extension/dist vscode-extension/out vscode-extension/node_modules
	go clean -testcache
