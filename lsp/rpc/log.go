package rpc

import (
	"io"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// NewLogger writes to w and, from level info on, to the client's log window.
func NewLogger(w io.Writer, level zapcore.Level, send func(protocol.MessageType, string)) *zap.Logger {
	config := zap.NewDevelopmentEncoderConfig()
	config.EncodeLevel = zapcore.LowercaseLevelEncoder
	core := zapcore.NewCore(zapcore.NewConsoleEncoder(config), zapcore.AddSync(w), level)
	config.TimeKey, config.LevelKey = "", "" // the client has its own
	return zap.New(zapcore.NewTee(core, &clientCore{
		LevelEnabler: max(level, zapcore.InfoLevel),
		encoder:      zapcore.NewConsoleEncoder(config),
		send:         send,
	}))
}

// clientCore sends entries as window/logMessage.
type clientCore struct {
	zapcore.LevelEnabler
	encoder zapcore.Encoder
	send    func(protocol.MessageType, string)
}

func (c *clientCore) With(fields []zapcore.Field) zapcore.Core {
	clone := *c
	clone.encoder = c.encoder.Clone()
	for _, f := range fields {
		f.AddTo(clone.encoder)
	}
	return &clone
}

func (c *clientCore) Check(e zapcore.Entry, ce *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(e.Level) {
		return ce.AddCore(e, c)
	}
	return ce
}

func (c *clientCore) Write(e zapcore.Entry, fields []zapcore.Field) error {
	line, err := c.encoder.EncodeEntry(e, fields)
	if err != nil {
		return err
	}
	defer line.Free()
	kind := protocol.MessageTypeInfo
	switch {
	case e.Level >= zapcore.ErrorLevel:
		kind = protocol.MessageTypeError
	case e.Level == zapcore.WarnLevel:
		kind = protocol.MessageTypeWarning
	}
	c.send(kind, line.String())
	return nil
}

func (c *clientCore) Sync() error { return nil }
