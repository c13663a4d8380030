package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"aiglens/lsp/queue"
	"aiglens/lsp/settings"
)

// section is the user's settings that belong to the server.
const section = "aiglens"

// DidChangeConfiguration takes the settings that it carries. Where it carries
// none, and where the client can be asked, that one decides.
func (s *server) DidChangeConfiguration(_ context.Context, params *protocol.DidChangeConfigurationParams) error {
	s.queue.Do(func() {
		var carried struct{ Aiglens json.RawMessage }
		hasSection := json.Unmarshal(params.Settings, &carried) == nil && len(carried.Aiglens) > 0
		switch {
		case hasSection:
			s.pulled++ // an answer that is under way is older
			s.applySettings(params.Settings)
		case s.client.configuration:
			s.askForSettings()
		}
	})
	return nil
}

// askForSettings asks the client for its settings. Of several answers the one to
// the last question counts.
func (s *session) askForSettings() {
	s.pulled++
	s.pulls.Mark(struct{}{}, s.pulled)
}

// newSettingsPuller returns what asks for the settings, one question at a time.
func newSettingsPuller(s *session) *queue.Sender[struct{}, int] {
	return queue.NewSender(queue.SenderConfig[struct{}, int]{
		Merge: func(_, new int) int { return new },
		Send: func(ctx context.Context, _ struct{}, pull int) {
			s.guard("settings", "", func() { s.pullSettings(ctx, pull) })
		},
	})
}

func (s *session) pullSettings(ctx context.Context, pull int) {
	name := section
	var answers []protocol.LSPAny
	items := &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &name}}}
	if err := protocol.Call(ctx, s.conn, protocol.MethodWorkspaceConfiguration, items, &answers); err != nil {
		s.log.Warn("the client does not send its settings", zap.Error(err))
		return
	}
	if len(answers) == 1 && string(answers[0]) != "null" {
		s.post(func() {
			if pull == s.pulled {
				s.applySettings(answers[0])
			}
		})
	}
}

// registerForSettings asks to be told when the settings change.
func (s *session) registerForSettings(ctx context.Context) {
	registration := &protocol.RegistrationParams{Registrations: []protocol.Registration{{
		ID: "settings", Method: protocol.MethodWorkspaceDidChangeConfiguration,
		RegisterOptions: protocol.LSPAny(`{"section":"` + section + `"}`),
	}}}
	if err := protocol.Call(ctx, s.conn, protocol.MethodClientRegisterCapability, registration, nil); err != nil {
		s.log.Warn("changes of settings will go unnoticed", zap.Error(err))
	}
}

// bound returns settings with no more checks at once than there may be. A client always sends numbers. The default of
// checks is that of a machine whose editor has processes of its own, and stands for as many as there may be: together they
// then have the memory that it allows.
func (o Options) bound(s settings.Settings) settings.Settings {
	usual := settings.Default()
	switch {
	case o.MostChecks == 0:
		return s
	case s.Workers == usual.Workers:
		s.Workers = o.MostChecks
	default:
		s.Workers = min(s.Workers, o.MostChecks)
	}
	if memory := usual.Run.Limits.Memory; s.Run.Limits.Memory == memory && s.Workers > usual.Workers {
		s.Run.Limits.Memory = memory * int64(usual.Workers) / int64(s.Workers)
	}
	return s
}

// applySettings takes over new settings.
func (s *session) applySettings(raw []byte) {
	next, err := settings.FromJSON(raw, s.opts.Formats)
	if err != nil {
		s.log.Warn("some settings are not used", zap.Error(err))
	}
	next = s.opts.bound(next)
	old := s.settings
	if next.Retired != "" && next.Retired != old.Retired {
		s.log.Warn("settings: " + next.Retired)
	}
	if next.Trust == settings.Unsaid {
		next.Trust = old.Trust
	}
	next.Document = s.texts.withModels(next.Document)
	s.settings = next
	s.texts.models.trusted.Store(next.IsTrusted())
	if old.IsTrusted() && !next.IsTrusted() {
		s.checking.stopAll()
	}
	s.checking.cluster.wantsCache.Store(next.Cache)
	s.texts.settingsChanged(old)
	if next.Reading != old.Reading {
		s.publishing.askForHints()
	}
	s.checking.settingsChanged(old)
	s.verilog.settingsChanged()
}
