/// <reference lib="dom" />
// What the extension keeps between visits, in the storage of the browser.

export function memento(name: string) {
  const prefix = `aiglens.${name}.`;
  const kept = new Map<string, string>();
  const read = (key: string): string | null => {
    try {
      return localStorage.getItem(prefix + key);
    } catch {
      return null; // the browser refuses to store anything
    }
  };
  return {
    keys: () => [...kept.keys()],
    get: <Value>(key: string, fallback?: Value): Value | undefined => {
      const text = kept.get(key) ?? read(key);
      try {
        return text == null ? fallback : (JSON.parse(text) as Value);
      } catch {
        return fallback; // something else has written it
      }
    },
    update: async (key: string, value: unknown): Promise<void> => {
      const text = value === undefined ? undefined : JSON.stringify(value);
      try {
        if (text === undefined) localStorage.removeItem(prefix + key);
        else localStorage.setItem(prefix + key, text);
      } catch {
        // It lasts as long as the page.
      }
      if (text === undefined) kept.delete(key);
      else kept.set(key, text);
    },
    setKeysForSync: () => undefined,
  };
}
