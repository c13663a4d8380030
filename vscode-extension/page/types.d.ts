// What bundles.mjs makes, and parts of Monaco that come without types.

declare module '*.css';

declare module 'aiglens:contributes' {
  interface Colours {
    dark: string;
    light: string;
    highContrast: string;
    highContrastLight: string;
  }
  interface LanguageConfiguration {
    wordPattern: string;
    brackets: [string, string][];
    comments?: { lineComment: string };
    autoClosingPairs?: ([string, string] | { open: string; close: string })[];
  }
  const contributes: {
    languages: { id: string; extensions: string[]; aliases: string[]; firstLine?: string; configuration: LanguageConfiguration }[];
    colors: { id: string; defaults: Colours }[];
    keybindings: { command: string; key: string; when: string }[];
    commands: { command: string; title: string }[];
    palette: { command: string; when?: string }[];
    settings: Record<string, unknown>;
    version: string;
  };
  export default contributes;
}

declare module 'monaco-editor/editor/standalone/browser/standaloneServices.js' {
  export const StandaloneServices: { get(service: unknown): any };
}

declare module 'monaco-editor/platform/quickinput/common/quickInput.js' {
  export const IQuickInputService: unknown;
}

declare module 'monaco-editor/base/common/errors.js' {
  export class CancellationError extends Error {}
}
