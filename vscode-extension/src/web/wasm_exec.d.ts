// What Go's compiler needs of the host, in GOROOT/lib/wasm; esbuild finds it there.
declare module 'wasm_exec.js';
