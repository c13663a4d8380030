// The settings of the extension. The server gets all of them when it starts and
// asks for them again when they change; it ignores what is not for it.
import { workspace } from 'vscode';
import type { ConfigurationMiddleware } from 'vscode-languageclient';

/** The settings below aiglens as nested objects: { check: { trigger: … }, … }. */
export function serverSettings(): unknown {
  // The configuration is such an object, with functions that JSON leaves out.
  return withTrust(JSON.parse(JSON.stringify(workspace.getConfiguration('aiglens'))));
}

/** Adds whether the user trusts the folders; no setting of that name can say otherwise. */
function withTrust(settings: unknown): unknown {
  return { ...(settings as object), trusted: workspace.isTrusted };
}

/** Answers the server's question for the settings. */
export const answerWithTrust: NonNullable<ConfigurationMiddleware['configuration']> = async (params, token, next) => {
  const answers = await next(params, token);
  if (!Array.isArray(answers)) return answers;
  return answers.map((answer: unknown, index) => (params.items[index]?.section === 'aiglens' ? withTrust(answer) : answer));
};

/** The program that the user wants instead of the bundled one, if any. */
export function serverPath(): string | undefined {
  return workspace.getConfiguration('aiglens').get('server.path', '').trim() || undefined;
}
