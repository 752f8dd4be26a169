import type { WaitingSender } from '../core/stream-file.ts'
import { uploadAborted } from '../domain/errors.ts'
import type { RequestContext } from './chain.ts'
import { isHeld } from './waiting-doors.ts'
import { announcedFileSize, receiveForm, requireForm } from './multipart.ts'
import { onBrokenRequest } from './request-body.ts'

/**
 * Lets a request with a file wait before it is read, for as long as it takes: nothing moves on its connection until
 * somebody wants the file, and that must not look like a dead one.
 * @throws ServiceError as `receiveForm`, and whatever `send` throws
 */
export async function waitWithForm<Result>(
  { service, request, reply }: RequestContext,
  send: (sender: WaitingSender) => Promise<Result>,
): Promise<Result> {
  const { raw } = request
  requireForm(raw)
  const { socket } = raw
  const { timeout } = request.server.server
  const stop = new AbortController()
  const gone = () => {
    stop.abort(uploadAborted())
  }
  const forget = onBrokenRequest(raw, gone)
  reply.raw.once('close', gone)
  // A connection with unread bytes is not read, so that nothing tells of its end.
  const unwatch =
    raw.complete || isHeld(raw) ? undefined : service.peers.watch(socket, () => socket.destroy())
  socket.setTimeout(0)
  const wake = () => {
    unwatch?.()
    forget()
    reply.raw.off('close', gone)
    socket.setTimeout(timeout)
  }
  try {
    return await send({
      expectedSize: announcedFileSize(raw),
      gone: stop.signal,
      open(use, signal) {
        wake()
        return receiveForm(raw, use, signal)
      },
    })
  } finally {
    wake()
  }
}
