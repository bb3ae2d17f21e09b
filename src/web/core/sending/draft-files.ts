/*
 * The bytes of files that are attached to a draft and not uploaded yet. They are kept in this browser, so that an upload
 * goes on after the page was loaded anew. Signing out deletes them.
 */

const databaseName = "service-draft-files";
const storeName = "files";

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(storeName));
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });
}

async function within<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const database = await open();
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(storeName, mode);
      const request = work(transaction.objectStore(storeName));
      transaction.addEventListener("complete", () => resolve(request.result));
      transaction.addEventListener("abort", () => reject(transaction.error));
    }).finally(() => database.close());
  } catch {
    // A private window may keep nothing, or the disk is full. Then the file is chosen again after a reload.
    return undefined;
  }
}

/** Keeps the bytes of an upload under its id. */
export const keepBytes = (id: string, bytes: Blob): Promise<unknown> =>
  within("readwrite", (store) => store.put(bytes, id));

/** The bytes of an upload that were kept, if they still are. */
export const keptBytes = (id: string): Promise<Blob | undefined> =>
  within<Blob>("readonly", (store) => store.get(id) as IDBRequest<Blob>);

/** Forgets the bytes of an upload. */
export const forgetBytes = (id: string): Promise<unknown> =>
  within("readwrite", (store) => store.delete(id));

/** Forgets all bytes that are kept. */
export const forgetAllBytes = (): Promise<unknown> => within("readwrite", (store) => store.clear());
