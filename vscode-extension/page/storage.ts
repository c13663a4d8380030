/// <reference lib="dom" />
// Files in the IndexedDB of the browser, and word of them to the other tabs.
import type { Storage, Stored } from './files';

const name = 'aiglens-files';
const store = 'files';

export function browserStorage(): Storage {
  const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name);
  const open = () => new Promise<IDBDatabase>((resolve, reject) => {
    const asked = indexedDB.open(name, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(store);
    asked.onsuccess = () => {
      asked.result.onclose = () => (database = undefined); // the user has cleared what the browser stores
      resolve(asked.result);
    };
    asked.onerror = () => reject(asked.error ?? new Error('the browser refuses to store anything'));
  });
  let database: Promise<IDBDatabase> | undefined;
  /** Ends with its transaction: a storage that is full says so only then. */
  const run = async <Result>(mode: IDBTransactionMode, ask: (files: IDBObjectStore) => () => Result): Promise<Result> => {
    database ??= open();
    database.catch(() => (database = undefined));
    const transaction = (await database).transaction(store, mode);
    return await new Promise((resolve, reject) => {
      const result = ask(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(result());
      transaction.onabort = () => reject(transaction.error ?? new Error('the browser stores nothing more'));
    });
  };
  return {
    all: () => run('readonly', (files) => {
      const [paths, all] = [files.getAllKeys(), files.getAll() as IDBRequest<Stored[]>];
      return () => paths.result.map((path, index) => [String(path), all.result[index]!]);
    }),
    get: (path) => run('readonly', (files) => {
      const asked = files.get(path) as IDBRequest<Stored | undefined>;
      return () => asked.result;
    }),
    async replace(path, expected, by) {
      const answer = await run('readwrite', (files) => {
        const asked = files.get(path) as IDBRequest<Stored | undefined>;
        const isExpected = () => asked.result?.revision === expected;
        asked.onsuccess = () => isExpected() && (by === undefined ? files.delete(path) : files.put(by, path));
        return () => (isExpected() ? ('replaced' as const) : { there: asked.result });
      });
      if (answer === 'replaced') tabs?.postMessage(path);
      // What was saved is to stay also when the machine has little room. A browser may ask the user.
      if (by?.isDraft === false) void navigator.storage?.persist?.().catch(() => undefined);
      return answer;
    },
    onDidReplace: (listener) => tabs?.addEventListener('message', ({ data }) => listener(String(data))),
  };
}
