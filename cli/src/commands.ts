import type { Commands } from './program/command.ts'

/** Every command. */
export const commands: Commands = {
  upload: async (program) => (await import('./commands/upload.ts')).upload(program),
  watch: async (program) => (await import('./commands/watch.ts')).watch(program),
  request: async (program) => (await import('./requests/request-command.ts')).request(program),
  send: async (program) => (await import('./requests/send-command.ts')).send(program),
  resume: async (program) => (await import('./commands/resume.ts')).resume(program),
  get: async (program) => (await import('./commands/get.ts')).get(program),
  info: async (program) => (await import('./commands/info.ts')).info(program),
  rm: async (program) => (await import('./commands/rm.ts')).rm(program),
  ls: async (program) => (await import('./commands/ls.ts')).ls(program),
  mail: async (program) => (await import('./commands/mail.ts')).mail(program),
  open: async (program) => (await import('./commands/open.ts')).open(program),
  login: async (program) => (await import('./commands/login.ts')).login(program),
  logout: async (program) => (await import('./commands/logout.ts')).logout(program),
  whoami: async (program) => (await import('./commands/whoami.ts')).whoami(program),
  keys: async (program) => (await import('./commands/keys.ts')).keys(program),
  doctor: async (program) => (await import('./commands/doctor.ts')).doctor(program),
  config: async (program) => (await import('./commands/config.ts')).config(program),
  mcp: async (program) => (await import('./commands/mcp.ts')).mcp(program, commands),
  update: async (program) => (await import('./commands/update.ts')).update(program),
  completion: async (program) => (await import('./commands/completion.ts')).completion(program, commands),
  help: async (program) => (await import('./commands/help.ts')).help(program, commands),
  man: async (program) => (await import('./commands/man.ts')).man(program, commands),
}
