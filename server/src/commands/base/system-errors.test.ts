import { expect, test } from 'vitest'
import { explainSystemError } from './system-errors.ts'

const systemError = (fields: object) => Object.assign(new Error('raw'), fields)

test.each([
  [
    { code: 'EACCES', syscall: 'open', path: '/data/svc.db' },
    'no permission for /data/svc.db: run svcd as the user that owns it, or give this user the right (EACCES)',
  ],
  [
    { code: 'EACCES', syscall: 'listen', address: '0.0.0.0', port: 80 },
    'no permission to listen on 0.0.0.0:80: choose a port above 1023, or give svcd the capability CAP_NET_BIND_SERVICE (EACCES)',
  ],
  [
    { code: 'EDQUOT', syscall: 'write' },
    'the disk has no space left: free some space, or use another disk (EDQUOT)',
  ],
  [{ code: 'EPIPE', syscall: 'write' }, 'the output was closed before everything was written (EPIPE)'],
  [{ code: 'EISDIR', syscall: 'open', path: '/backup' }, '/backup is a directory: name a file (EISDIR)'],
  [
    { code: 'ENOTDIR', syscall: 'open', path: '/file/x' },
    'a part of the path /file/x is not a directory: choose another place (ENOTDIR)',
  ],
  [{ code: 'EINVAL', syscall: 'write' }, undefined],
  [{ code: 'constructor', syscall: 'write' }, undefined],
  [{ code: 'no_space' }, undefined],
])('%j is explained', (fields, message) => {
  expect(explainSystemError(systemError(fields))).toBe(message)
})
