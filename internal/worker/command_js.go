package worker

import (
	"errors"
	"os"
	"sync"
	"syscall/js"
	"time"
)

// cancelGrace is how long a cancelled check may go on before its worker is ended. A browser does
// that at once.
const cancelGrace = 100 * time.Millisecond

// Browser starts a Web Worker. The script of the program opens the file below for each as a pipe to a
// new one, and says by its number how it ended.
func Browser() (*Conn, error) {
	pipe, err := os.OpenFile("/dev/checker", os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	checkers, number := js.Global().Get("aiglensCheckers"), int(pipe.Fd())
	end := sync.OnceFunc(func() { checkers.Call("end", number) })
	log := ""
	return &Conn{
		In: input{pipe, end}, Out: pipe, Kill: end,
		Wait: func() error {
			end()
			defer pipe.Close()
			log = checkers.Call("log", number).String()
			switch how := checkers.Call("ending", number).String(); how {
			case "ended":
				return ErrEnded
			case "memory":
				return ErrMemory
			default:
				return &CrashError{errors.New(how)}
			}
		},
		Log: func() string { return log },
	}, nil
}

// input is the pipe to a worker, which ends when it is closed.
type input struct {
	*os.File
	end func()
}

func (i input) Close() error {
	i.end()
	return nil
}
