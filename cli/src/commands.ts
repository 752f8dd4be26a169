import type { Commands } from './program/command.ts'

/** Every command. */
export const commands: Commands = {
  upload: async (program) => (await import('./commands/transfers/upload.ts')).upload(program),
  watch: async (program) => (await import('./commands/transfers/watch.ts')).watch(program),
  request: async (program) => (await import('./commands/requests/request.ts')).request(program),
  send: async (program) => (await import('./commands/requests/send.ts')).send(program),
  resume: async (program) => (await import('./commands/transfers/resume.ts')).resume(program),
  get: async (program) => (await import('./commands/transfers/get.ts')).get(program),
  info: async (program) => (await import('./commands/uploads/info.ts')).info(program),
  rm: async (program) => (await import('./commands/uploads/rm.ts')).rm(program),
  ls: async (program) => (await import('./commands/uploads/ls.ts')).ls(program),
  mail: async (program) => (await import('./commands/uploads/mail.ts')).mail(program),
  open: async (program) => (await import('./commands/uploads/open.ts')).open(program),
  login: async (program) => (await import('./commands/account/login.ts')).login(program),
  logout: async (program) => (await import('./commands/account/logout.ts')).logout(program),
  whoami: async (program) => (await import('./commands/account/whoami.ts')).whoami(program),
  keys: async (program) => (await import('./commands/account/keys.ts')).keys(program),
  doctor: async (program) => (await import('./commands/program/doctor.ts')).doctor(program),
  config: async (program) => (await import('./commands/account/config.ts')).config(program),
  mcp: async (program) => (await import('./commands/program/mcp.ts')).mcp(program, commands),
  update: async (program) => (await import('./commands/program/update.ts')).update(program),
  completion: async (program) =>
    (await import('./commands/program/completion.ts')).completion(program, commands),
  help: async (program) => (await import('./commands/program/help.ts')).help(program, commands),
  man: async (program) => (await import('./commands/program/man.ts')).man(program, commands),
}
