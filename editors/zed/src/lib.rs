// Starts the aiglens of the PATH for circuits and Horn clauses in Zed. Zed draws no lenses, so a proof is
// a hint on the row of its property.
use zed_extension_api::{self as zed, serde_json, LanguageServerId, Result, Worktree};

struct Aiglens;

impl zed::Extension for Aiglens {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<zed::Command> {
        let command = worktree.which("aiglens").ok_or("there is no aiglens on the PATH")?;
        Ok(zed::Command { command, args: vec!["serve".into()], env: worktree.shell_env() })
    }

    fn language_server_initialization_options(&mut self, _: &LanguageServerId, _: &Worktree) -> Result<Option<serde_json::Value>> {
        Ok(Some(serde_json::json!({ "diagnostics": { "proved": "on" } })))
    }
}

zed::register_extension!(Aiglens);
