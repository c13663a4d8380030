// Command wiregen writes the TypeScript types of the messages that package wire declares.
// It reads the sources rather than the types, for the comments belong to what is written.
//
// Usage, in the folder of package wire: wiregen FILE
//
// Its tests hold the file of the extension and docs/protocol.md to the declarations.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: wiregen FILE")
		os.Exit(2)
	}
	if err := generate(".", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "wiregen:", err)
		os.Exit(1)
	}
}

// generate writes the declarations of a folder to a file.
func generate(folder, file string) error {
	declared, err := readFolder(folder)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(typeScript(declared)), 0o644)
}
