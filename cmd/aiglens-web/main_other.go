//go:build !js

// Command aiglens-web is the program for browsers: the language server or a debug adapter in a Web
// Worker. Its checks run in others: see aiglens-checker. The scripts in vscode-extension/src/web start
// it and are its file system; it reads and writes its messages as the program does natively.
package main

import "log"

func main() { log.Fatal("this program runs in browsers: build it with GOOS=js GOARCH=wasm") }
