// Runs the program, which is compiled by Go for GOOS=js: what it sees of the world is in globals.
import 'wasm_exec.js';
import type { Source } from './messages';

interface Go {
  argv: string[];
  env: Record<string, string>;
  importObject: WebAssembly.Imports;
  exit(code: number): void;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/** Compiles a module: from its address as it comes, or from its bytes. */
export async function compile(module: Source): Promise<WebAssembly.Module> {
  if (module instanceof WebAssembly.Module) return module;
  if (typeof module !== 'string') return WebAssembly.compile(module);
  const response = await fetch(module);
  if (!response.ok) throw new Error(`${module}: ${response.status} ${response.statusText}`);
  // A host that does not know the ending .wasm sends it as another type, which cannot be compiled as it comes.
  const type = response.headers.get('Content-Type') ?? '';
  return type.startsWith('application/wasm') ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** Runs the program to its end, and returns how it ended where that is not in order. */
export async function run(module: WebAssembly.Module, args: string[], globals: Record<string, unknown>): Promise<string | undefined> {
  Object.assign(globalThis, globals);
  const go = new (globalThis as unknown as { Go: new () => Go }).Go();
  go.argv = ['aiglens', ...args];
  let reason: string | undefined;
  go.exit = (code) => {
    if (code !== 0) reason = `exit status ${code}`;
  };
  try {
    await go.run(await WebAssembly.instantiate(module, go.importObject));
  } catch (error) {
    reason = String(error);
  }
  return reason;
}
