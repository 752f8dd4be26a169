import { join } from 'node:path'
import { holds } from '../daemon.ts'
import type { DatabaseRecipe } from './database-recipe.ts'

const admin = (bin: string, port: number) => [
  ...[join(bin, 'mariadb-admin'), '--no-defaults', '-h', '127.0.0.1', '-P', String(port), '-u', 'root'],
]

/** A server empties its folder of temporary files when it starts, so servers must not share one. */
const ownTemporary = (folder: string) => `--tmpdir=${join(folder, 'temporary')}`

export const mariadb: DatabaseRecipe = {
  user: 'mysql',
  find: () =>
    ['mariadb-install-db', 'mariadb-admin'].every((name) => holds(name)('/usr/bin')) ? '/usr/bin' : null,
  initialize: ({ bin, folder, user }) => [
    ...[join(bin, 'mariadb-install-db'), '--no-defaults', `--user=${user}`],
    ...[`--datadir=${join(folder, 'data')}`, '--auth-root-authentication-method=normal'],
    ...['--skip-test-db', '--skip-name-resolve', ownTemporary(folder)],
    ...['--innodb-log-file-size=8M', '--innodb-buffer-pool-size=32M'],
  ],
  serve: ({ folder, port, user }) => [
    ...['/usr/sbin/mariadbd', '--no-defaults', `--user=${user}`, `--datadir=${join(folder, 'data')}`],
    ...[`--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`],
    ...['--bind-address=127.0.0.1', `--port=${String(port)}`, '--skip-name-resolve', '--skip-log-bin'],
    ...['--character-set-server=utf8mb4', '--innodb-buffer-pool-size=64M', '--innodb-log-file-size=8M'],
    ...['--innodb-flush-log-at-trx-commit=0', '--max-connections=500', ownTemporary(folder)],
  ],
  ping: ({ bin, port }) => [...admin(bin, port), 'ping'],
  create: ({ bin, port }, name) => [...admin(bin, port), 'create', name],
  drop: ({ bin, port }, name) => [...admin(bin, port), '--force', 'drop', name],
  url: ({ port }, name) => `mysql://root@127.0.0.1:${String(port)}/${name}`,
  stopSignal: 'SIGTERM',
}
