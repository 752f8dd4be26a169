/** The files that this instance is receiving. The database can be out of date. */
export interface InFlightUploads {
  /** Runs some work while a file counts as in flight. */
  during<Result>(fileId: string, work: () => Promise<Result>): Promise<Result>
  /**
   * Whether this instance is receiving a file now. If it is not, but the database says so, the upload failed while the
   * database was unavailable.
   */
  has(fileId: string): boolean
}

export function inFlightUploads(): InFlightUploads {
  // Objects instead of ids: a rejected second sender must not remove the entry of the first.
  const running = new Set<{ readonly fileId: string }>()
  return {
    async during(fileId, work) {
      const entry = { fileId }
      running.add(entry)
      try {
        return await work()
      } finally {
        running.delete(entry)
      }
    },
    has: (fileId) => running.values().some((entry) => entry.fileId === fileId),
  }
}
