import { viewerKind, type ViewerKind } from '../../viewers/viewer-kind.ts'
import { inFolderOrder } from '../../ui/file/use-folder-rows.ts'
import { arrivedFiles, type ReceivedFile, type ReceivedUpload } from './received.ts'

/** The viewer of a received file, if there is one. */
export const receivedKind = ({ file, name, e2ee }: ReceivedFile): ViewerKind | undefined =>
  viewerKind({ fileName: name, type: file.type }, { e2ee })

/** The files that can be viewed, in the order of the page. */
export const viewableFiles = (uploads: readonly ReceivedUpload[]): readonly ReceivedFile[] =>
  uploads.flatMap(({ files }) =>
    inFolderOrder(
      arrivedFiles(files)
        .filter((received) => receivedKind(received) !== undefined)
        .map((received) => ({ key: received.file.id, received })),
      ({ received }) => received.name,
    ).map(({ received }) => received),
  )
