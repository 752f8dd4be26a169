/** The files that this process is receiving, which is more than the database can know. */
export interface InFlightUploads {
  /** Does what begins and ends within the reception of a file. */
  during<Result>(fileId: string, work: () => Promise<Result>): Promise<Result>
  /**
   * Whether a file is being received now. One that is not, though the database says so, was given up while the
   * database could not be told.
   */
  has(fileId: string): boolean
}

export function inFlightUploads(): InFlightUploads {
  // Objects, not ids: a second sender who is refused must not end the reception of the first.
  const running = new Set<{ readonly fileId: string }>()
  return {
    async during(fileId, work) {
      const reception = { fileId }
      running.add(reception)
      try {
        return await work()
      } finally {
        running.delete(reception)
      }
    },
    has: (fileId) => running.values().some((reception) => reception.fileId === fileId),
  }
}
