// The items of the Test Explorer: a file with one child for each property, below
// the folders of the workspace when there are several. They mirror the status
// model; files that the server knows nothing about yet are there to be opened.
import { type TestController, type TestItem, Uri, workspace } from 'vscode';
import { isEncoded } from './formats';
import { documentUri, toRange } from './places';
import type { PropertyID, PropertyStatus } from './protocol';
import type { FileStatus } from './status';
import { textOf } from './verdicts';

/** What an item stands for. */
export interface Subject {
  /** None for a folder. */
  uri?: string;
  /** None for a file. */
  property?: PropertyID;
}

interface FileItem {
  item: TestItem;
  properties: Map<PropertyID, TestItem>;
  /** It is a circuit in a folder, whether the server knows it or not. */
  found: boolean;
}

export class TestTree {
  private readonly files = new Map<string, FileItem>();
  private readonly folders = new Map<string, TestItem>();
  private readonly subjects = new WeakMap<TestItem, Subject>();

  /**
   * @param places whether VS Code is told the rows. It marks the row of a test in
   *   the gutter itself, over every other mark, and an outdated result almost like
   *   one that is not. So it gets them only where the gutter has no marks of ours.
   */
  constructor(
    private readonly controller: TestController,
    private readonly places: boolean,
  ) {}

  subject(item: TestItem): Subject {
    return this.subjects.get(item) ?? {};
  }

  fileItem(uri: string): TestItem | undefined {
    return this.files.get(uri)?.item;
  }

  propertyItem(uri: string, property: PropertyID): TestItem | undefined {
    return this.files.get(uri)?.properties.get(property);
  }

  /** Makes the items of a file those of its properties, in text order; returns what is gone. */
  setFile(uri: Uri, status: FileStatus | undefined): TestItem[] {
    const name = uri.toString();
    const known = this.files.get(name);
    const before = known?.properties ?? new Map<PropertyID, TestItem>();
    if (status === undefined && known?.found !== true) {
      this.remove(name);
      return [...before.values()];
    }
    const file = known ?? this.add(uri);
    const properties = new Map<PropertyID, TestItem>();
    for (const [id, property] of status?.properties ?? []) {
      const item = file.properties.get(id) ?? this.propertyOf(uri, property);
      // So that they keep the order of the text, whatever their names are.
      item.sortText = String(properties.size).padStart(8, '0');
      this.update(item, property);
      properties.set(id, item);
    }
    file.properties = properties;
    file.item.canResolveChildren = status === undefined && !isEncoded(uri);
    file.item.children.replace([...properties.values()]);
    return [...before].flatMap(([id, item]) => (properties.has(id) ? [] : item));
  }

  /** Renews what properties look like that have their items already. */
  setProperties(uri: string, statuses: Iterable<PropertyStatus>): void {
    for (const status of statuses) {
      const item = this.propertyItem(uri, status.property);
      if (item !== undefined) this.update(item, status);
    }
  }

  /**
   * Takes these for the circuits in the folders, so that they stay when they are closed.
   * One whose text is another document is not opened to list its properties: a check does.
   */
  setFound(uris: readonly Uri[]): void {
    const found = new Set(uris.map((uri) => uri.toString()));
    for (const [name, file] of [...this.files]) {
      file.found = found.has(name);
      if (!file.found && file.properties.size === 0) this.remove(name);
    }
    for (const uri of uris) {
      const known = this.files.get(uri.toString());
      const file = known ?? this.add(uri);
      file.found = true;
      if (known === undefined) file.item.canResolveChildren = !isEncoded(uri);
    }
  }

  /** Puts every file where it belongs, after folders came or went. */
  arrange(): void {
    this.controller.items.replace([]);
    this.folders.clear();
    for (const [name, { item }] of this.files) this.place(item, Uri.parse(name));
  }

  /** Of a file, of everything in a folder, or of all there is. */
  filesBelow(item: TestItem | undefined): string[] {
    const uri = item && this.subject(item).uri;
    if (uri !== undefined) return [uri];
    return [...this.files].flatMap(([name, file]) => (item === undefined || file.item.parent === item ? name : []));
  }

  private add(uri: Uri): FileItem {
    const item = this.controller.createTestItem(uri.toString(), workspace.asRelativePath(uri, false), documentUri(uri.toString()));
    const file: FileItem = { item, properties: new Map(), found: false };
    this.files.set(uri.toString(), file);
    this.subjects.set(item, { uri: uri.toString() });
    this.place(item, uri);
    return file;
  }

  private propertyOf(uri: Uri, { property, name }: PropertyStatus): TestItem {
    const item = this.controller.createTestItem(property, name, this.places ? documentUri(uri.toString()) : undefined);
    this.subjects.set(item, { uri: uri.toString(), property });
    return item;
  }

  private update(item: TestItem, status: PropertyStatus): void {
    item.label = status.name;
    if (this.places) item.range = toRange(status.range);
    // What a run is doing changes ten times a second and has an icon of its own.
    item.description = status.freshness === 'running' || status.freshness === 'queued' ? status.freshness : textOf(status);
  }

  private place(item: TestItem, uri: Uri): void {
    const folders = workspace.workspaceFolders ?? [];
    const folder = folders.length > 1 ? workspace.getWorkspaceFolder(uri) : undefined;
    if (folder === undefined) return this.controller.items.add(item);
    const name = folder.uri.toString();
    let parent = this.folders.get(name);
    if (parent === undefined) {
      parent = this.controller.createTestItem(`folder ${name}`, folder.name, folder.uri);
      this.folders.set(name, parent);
      this.controller.items.add(parent);
    }
    parent.children.add(item);
  }

  private remove(name: string): void {
    const file = this.files.get(name);
    if (file === undefined) return;
    this.files.delete(name);
    const { parent } = file.item;
    if (parent === undefined) return this.controller.items.delete(file.item.id);
    parent.children.delete(file.item.id);
    if (parent.children.size > 0) return;
    this.controller.items.delete(parent.id);
    this.folders.delete(parent.uri?.toString() ?? '');
  }
}
