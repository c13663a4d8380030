//go:build !js

// Command aiglens-checker runs the checks of a browser, one after the other in a Web Worker. It is
// a program of its own, for it is a fifth of the server's and starts as much faster.
package main

import "log"

func main() { log.Fatal("this program runs in browsers: build it with GOOS=js GOARCH=wasm") }
