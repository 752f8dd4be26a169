import type { File, Upload } from '@svc/contract'

/** What a visitor can do with a file. */
export type Availability = 'ready' | 'coming' | 'gone'

/** A stream can be downloaded only while its file is sent (docs/protocol.md#states). */
export function availability(
  { status }: Pick<File, 'status'>,
  { stream }: Pick<Upload, 'stream'>,
): Availability {
  switch (status) {
    case 'uploaded':
      return 'ready'
    case 'uploading':
      return stream ? 'ready' : 'coming'
    case 'missing':
      return 'coming'
    case 'removed':
    case 'deleted':
      return 'gone'
  }
}
