// The frames of both protocols, which the program reads and writes as it does natively: a header with
// the length of the body, an empty line, and a JSON object.
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The frame of a message. */
export function framed(message: unknown): Uint8Array {
  const body = encoder.encode(JSON.stringify(message));
  const header = encoder.encode(`Content-Length: ${body.length}\r\n\r\n`);
  const frame = new Uint8Array(header.length + body.length);
  frame.set(header);
  frame.set(body, header.length);
  return frame;
}

/** Takes messages out of their frames, wherever the bytes are cut. */
export class Unframer {
  private chunks: Uint8Array[] = [];
  private size = 0;
  /** The bytes that are needed for the next step: those of a frame whose header has been read. */
  private frame = 0;
  private body = 0;

  constructor(private readonly tell: (message: unknown) => void) {}

  push(bytes: Uint8Array): void {
    this.chunks.push(bytes);
    this.size += bytes.length;
    while (this.size > 0 && this.size >= this.frame && this.take()) {}
  }

  /** Reads the next header, or the body of the frame; false when it is not there yet. */
  private take(): boolean {
    if (this.chunks.length > 1) this.chunks = [joined(this.chunks, this.size)];
    const all = this.chunks[0]!;
    if (this.frame === 0) {
      const header = /^Content-Length: (\d+)\r\n\r\n/.exec(decoder.decode(all.subarray(0, 100)));
      if (header === null) return false;
      this.body = header[0].length;
      this.frame = this.body + Number(header[1]);
      return this.size >= this.frame;
    }
    const message: unknown = JSON.parse(decoder.decode(all.subarray(this.body, this.frame)));
    this.chunks = [all.subarray(this.frame)];
    this.size -= this.frame;
    this.frame = 0;
    this.tell(message);
    return true;
  }
}

function joined(chunks: Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
