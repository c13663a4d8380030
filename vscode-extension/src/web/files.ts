// The file system that the program sees, with the methods of Node's `fs` as far as Go's library calls
// them: its three standard pipes, devices, and the files of the owner, which are read only.
import { isFolder, type Owner, Refused, type Stat } from './owner';
import type { Inbox, Sink } from './pipes';

/** Both ends of a pipe as the program holds it. */
export interface Pipe {
  out: Inbox;
  in: Sink;
  close(): void;
}

type Callback<Value = unknown> = (error: Error | null, value?: Value) => void;

interface Open {
  stat: Stat;
  pipe?: Pipe;
  bytes?: Uint8Array;
  at: number;
}

const failed = (code: string) => Object.assign(new Error(code), { code });
const noFile: Stat = { type: 0, size: 0, mtime: 0 };

export class Files {
  readonly constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
  private readonly open_ = new Map<number, Open>();
  private number = 2;

  constructor(
    [input, output, log]: [Inbox, Sink, Sink],
    /** Each opens another pipe, which it is told the number of. */
    private readonly devices: Record<string, (number: number) => Pipe>,
    private readonly owner?: Owner,
  ) {
    const pipes = [output, output, log].map((sink) => ({ out: input, in: sink, close: () => {} }));
    pipes.forEach((pipe, number) => this.open_.set(number, { stat: noFile, pipe, at: 0 }));
  }

  writeSync(number: number, bytes: Uint8Array): number {
    this.open_.get(number)?.pipe?.in(bytes.slice());
    return bytes.length;
  }

  write(number: number, bytes: Uint8Array, _offset: number, length: number, _position: null, callback: Callback<number>): void {
    const { pipe } = this.open_.get(number) ?? {};
    if (pipe === undefined) return callback(failed('EBADF'));
    pipe.in(bytes.slice(0, length));
    callback(null, length);
  }

  read(number: number, into: Uint8Array, offset: number, length: number, position: number | null, callback: Callback<number>): void {
    const file = this.open_.get(number);
    if (file?.pipe !== undefined) return file.pipe.out.read(into.subarray(offset, offset + length), (n) => callback(null, n));
    if (file?.bytes === undefined) return callback(failed(file === undefined ? 'EBADF' : 'EISDIR'));
    const from = position ?? file.at;
    const part = file.bytes.subarray(from, from + length);
    into.set(part, offset);
    if (position === null) file.at += part.length;
    callback(null, part.length);
  }

  open(path: string, flags: number, _mode: number, callback: Callback<number>): void {
    const device = this.devices[path];
    if (device !== undefined) {
      const number = ++this.number;
      this.keep(number, callback, async () => ({ stat: noFile, pipe: device(number), at: 0 }));
    } else if ((flags & (this.constants.O_WRONLY | this.constants.O_RDWR | this.constants.O_CREAT)) !== 0) {
      callback(failed('EROFS'));
    } else {
      this.keep(++this.number, callback, async () => {
        const stat = await this.asked.stat(path);
        if ((stat.type & isFolder) !== 0) return { stat, at: 0 };
        const bytes = await this.asked.read(path);
        return { stat: { ...stat, size: bytes.length }, bytes, at: 0 };
      });
    }
  }

  close(number: number, callback: Callback): void {
    this.open_.get(number)?.pipe?.close();
    this.open_.delete(number);
    callback(null);
  }

  fstat(number: number, callback: Callback): void {
    const file = this.open_.get(number);
    if (file === undefined) callback(failed('EBADF'));
    else callback(null, statOf(file.stat));
  }

  stat(path: string, callback: Callback): void {
    answer(callback, async () => statOf(await this.asked.stat(path)));
  }

  lstat(path: string, callback: Callback): void {
    this.stat(path, callback);
  }

  readdir(path: string, callback: Callback<string[]>): void {
    answer(callback, async () => (await this.asked.list(path)).map(([name]) => name));
  }

  fsync(_number: number, callback: Callback): void {
    callback(null);
  }

  private get asked(): Owner {
    if (this.owner === undefined) throw failed('ENOENT');
    return this.owner;
  }

  private keep(number: number, callback: Callback<number>, open: () => Promise<Open>): void {
    answer(callback, async () => {
      this.open_.set(number, await open());
      return number;
    });
  }
}

/** What changes a file is refused. */
const changes = ['chmod', 'chown', 'fchmod', 'fchown', 'ftruncate', 'lchown', 'link', 'mkdir', 'readlink', 'rename', 'rmdir', 'symlink', 'truncate', 'unlink', 'utimes'];
for (const name of changes) {
  Object.defineProperty(Files.prototype, name, { value: (...of: unknown[]) => (of.at(-1) as Callback)(failed('EROFS')) });
}

function answer<Value>(callback: Callback<Value>, ask: () => Promise<Value>): void {
  ask().then(
    (value) => callback(null, value),
    (error: unknown) => callback(error instanceof Refused ? failed(error.missing ? 'ENOENT' : 'EIO') : error instanceof Error && 'code' in error && typeof error.code === 'string' ? error : failed('EIO')),
  );
}

function statOf({ type, size, mtime }: Stat) {
  const folder = (type & isFolder) !== 0;
  return {
    isDirectory: () => folder,
    dev: 0, ino: 0, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: 4096, blocks: Math.ceil(size / 512),
    mode: type === 0 ? 0o010600 : folder ? 0o040700 : 0o100600,
    size, atimeMs: mtime, mtimeMs: mtime, ctimeMs: mtime,
  };
}
