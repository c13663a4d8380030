package cluster

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// canShiftClock says that setClock works here.
const canShiftClock = true

// shiftAt is where the code of shiftedClock has the seconds that it adds.
const shiftAt = 24

// shiftedClock is int clock_gettime(clock, *timespec) with a wrong wall clock:
//
//	mov  eax, 228        SYS_clock_gettime
//	syscall
//	test edi, edi        only CLOCK_REALTIME
//	jne  end
//	mov  rcx, [rip+6]    shiftAt
//	add  [rsi], rcx      tv_sec
//	end: ret
var shiftedClock = []byte{
	0xb8, 228, 0, 0, 0, 0x0f, 0x05, 0x85, 0xff, 0x75, 10,
	0x48, 0x8b, 0x0d, 6, 0, 0, 0, 0x48, 0x01, 0x0e,
	0xc3, 0x90, 0x90,
	0, 0, 0, 0, 0, 0, 0, 0,
}

// shift is the word at shiftAt; nil before the first setClock.
var shift *atomic.Int64

// setClock makes the wall clock of this process wrong by so many seconds, for the libraries in
// it as well; the clock that only goes forward stays right, as on a machine whose clock is set
// to something wrong. A static program asks no library for the time that a preloaded one could
// stand in for, and the time namespaces of Linux leave the wall clock alone. So this puts a jump
// to shiftedClock where the kernel has mapped its clock_gettime into the process (vdso(7)).
func setClock(wrong time.Duration) error {
	if shift == nil {
		if err := replaceClock(); err != nil {
			return fmt.Errorf("the clock: %w", err)
		}
	}
	before := time.Now().Round(0)
	moved := wrong/time.Second - time.Duration(shift.Swap(int64(wrong/time.Second)))
	if got := time.Now().Round(0).Sub(before) - moved*time.Second; got < -time.Minute || got > time.Minute {
		return fmt.Errorf("the clock has moved by %v besides", got)
	}
	return nil
}

// replaceClock puts the jump there.
func replaceClock() error {
	image, base, err := vdso()
	if err != nil {
		return err
	}
	file, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return err
	}
	symbols, err := file.DynamicSymbols()
	if err != nil {
		return err
	}
	for _, s := range symbols {
		if s.Name == "__vdso_clock_gettime" {
			return jumpFrom(image, base, int(s.Value))
		}
	}
	return errors.New("the kernel maps no clock")
}

// vdso returns what the kernel has mapped, and where.
func vdso() (image []byte, base uintptr, err error) {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil, 0, err
	}
	for line := range strings.Lines(string(maps)) {
		if strings.HasSuffix(strings.TrimSpace(line), "[vdso]") {
			var end uintptr
			_, err := fmt.Sscanf(line, "%x-%x", &base, &end)
			return unsafe.Slice((*byte)(pointerAt(base)), end-base), base, err
		}
	}
	return nil, 0, errors.New("the kernel maps nothing")
}

// pointerAt returns the pointer to an address outside of what Go has allocated.
func pointerAt(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// jumpFrom has the function at a place of the image jump to shiftedClock, by one store of the
// word with its first instructions: other threads may be about to call it.
func jumpFrom(image []byte, base uintptr, at int) error {
	const length = 4096
	var page uintptr
	failed := syscall.EEXIST
	for away := 1 << 20; away < 2000<<20 && failed != 0; away += 1 << 20 { // a jump reaches 2 GB
		for _, hint := range []uintptr{base + uintptr(away), base - uintptr(away)} {
			const fixedNoReplace = 0x100000
			if failed != 0 {
				page, _, failed = syscall.Syscall6(syscall.SYS_MMAP, hint, length, syscall.PROT_READ|syscall.PROT_WRITE|syscall.PROT_EXEC,
					syscall.MAP_PRIVATE|syscall.MAP_ANON|fixedNoReplace, ^uintptr(0), 0)
			}
		}
	}
	if failed != 0 {
		return failed
	}
	copy(unsafe.Slice((*byte)(pointerAt(page)), length), shiftedClock)
	if err := syscall.Mprotect(image, syscall.PROT_READ|syscall.PROT_WRITE|syscall.PROT_EXEC); err != nil {
		return err
	}
	if at%8 != 0 {
		return fmt.Errorf("the clock is at %#x", at)
	}
	word := (*atomic.Uint64)(pointerAt(base + uintptr(at)))
	var code [8]byte
	binary.LittleEndian.PutUint64(code[:], word.Load())
	code[0] = 0xe9
	binary.LittleEndian.PutUint32(code[1:], uint32(int32(int64(page)-int64(base)-int64(at)-5)))
	word.Store(binary.LittleEndian.Uint64(code[:]))
	shift = (*atomic.Int64)(pointerAt(page + shiftAt))
	return nil
}
