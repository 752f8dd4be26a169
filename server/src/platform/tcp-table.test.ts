import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConnections, tcpName } from './tcp-table.ts'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { linuxSkipReason } from '../../../scripts/tests/programs.ts'

const missingTable = '/proc/net/tcp-of-no-system'

describeUnless(linuxSkipReason, 'an established connection', () => {
  let server: Server
  let socket: Socket
  let name: string
  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    const { localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 } = socket
    name = tcpName({ localAddress, localPort, remoteAddress, remotePort })
  })
  afterAll(() => {
    socket.destroy()
    server.close()
  })

  test('is listed', async () => {
    expect((await openConnections())?.has(name)).toBe(true)
  })

  test('is listed by a system without IPv6', async () => {
    expect((await openConnections(['/proc/net/tcp', missingTable]))?.has(name)).toBe(true)
  })

  test('does not count as closed when one of the tables cannot be read', async () => {
    expect(await openConnections(['/proc/net/tcp', tmpdir()])).toBeNull()
  })
})

test('a system without such tables lists no connections', async () => {
  expect(await openConnections([missingTable, missingTable])).toBeNull()
})
