import type { Block } from './block.ts'

/** The rights that settings remove; all other lines stay as they are. */
export const settings: readonly Block[] = [
  {
    title: 'where authentication is forced',
    server: 'forced',
    uploads: { of: 'guest', kinds: ['plain'] },
    table: `
              guest holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
new upload    anon  anon  anon  ok    ok    ok    ok    ok    ok    ok    ok    xsrf  xsite over  token over
preflight     free  free  free  free  free  free  free  free  free  free  free  free  free  free  free  free
see it        ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    token ok
see its preview  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  token  file?
add to it     no    anon  no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
add a preview  no    anon  no    no    no    no    no    no    no    no    no    xsrf  xsite  over  token  over
remove files  no    ok    no    no    no    no    no    ok    no    no    no    xsrf  xsite over  token over
see its downloads  no    ok    no    no    no    no    no    ok    no    no    no    no    no    over  token  over
remove it     no    ok    no    no    no    no    no    ok    no    no    no    xsrf  xsite over  token over
localLogin    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    xsrf  xsite ok    ok    ok
startCliLogin  ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    xsrf  xsite ok    ok    ok
`,
  },
  {
    title: 'where authentication is forced, for those who were given the token of an upload',
    server: 'forced',
    uploads: { of: 'owner', kinds: ['plain'] },
    table: `
              guest holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
see it        ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    token ok
see its preview  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  token  file?
add to it     no    ok    no    ok    ok    no    no    no    no    ok    no    xsrf  xsite over  token over
add a preview  no    file?  no    file?  file?  no    no    no    no    file?  no    xsrf  xsite  over  token  over
remove files  no    ok    no    ok    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
see its downloads  no    ok    no    ok    ok    no    no    ok    no    ok    no    ok    ok    over  token  over
mail it       no    no    no    ok    ok    no    no    no    no    no    no    xsrf  xsite over  token over
remove it     no    ok    no    ok    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
`,
  },
  {
    title: 'where guests may upload from some addresses only',
    server: 'whitelist',
    uploads: { of: 'guest', kinds: ['plain'] },
    table: `
              guest holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
new upload    addr  addr  addr  ok    ok    ok    ok    ok    ok    ok    ok    xsrf  xsite over  token over
see it        ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    token ok
see its preview  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  token  file?
add to it     addr  addr  addr  no    no    no    no    no    no    no    no    xsrf  xsite over  token over
add a preview  addr  addr  addr  no    no    no    no    no    no    no    no    xsrf  xsite  over  token  over
remove files  no    ok    no    no    no    no    no    ok    no    no    no    xsrf  xsite over  token over
see its downloads  no    ok    no    no    no    no    no    ok    no    no    no    no    no    over  token  over
remove it     no    ok    no    no    no    no    no    ok    no    no    no    xsrf  xsite over  token over
localLogin    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    xsrf  xsite ok    ok    ok
`,
  },

  {
    title: 'where links are not sent by email',
    server: 'no mail',
    uploads: { of: 'owner', kinds: ['plain'] },
    table: `
              guest holds owner own*  admin >own  -xsrf xsite gone  gone* left
mail it       off   off   off   off   off   off   xsrf  xsite over  token over
`,
  },

  {
    title: 'where there is no authentication',
    server: 'no authentication',
    table: `
              guest holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf gone  gone* left
the service   ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok
new upload    ok    ok    ok    ok    off   ok    off   ok    off   login login ok    ok    off   ok
accounts      off   off   off   off   off   off   off   off   off   off   off   off   off   off   off
`,
  },
  {
    title: 'protected uploads of the owner where there is no authentication any more',
    server: 'no authentication',
    uploads: { of: 'owner', kinds: ['protected and removable'] },
    table: `
              guest pw+   holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf gone  gone* left
see it        pw    ok    ok    pw    pw    off   pw    off   pw    off   login login pw    pw    off   pw
see its preview  pw    file?  file?  pw    pw    off   pw    off   pw    off   login  login  pw    pw    off   pw
add to it     no    no    ok    no    no    off   no    off   no    off   login login no    no    off   no
add a preview  no    no    file?  no    no    off   no    off   no    off   login  login  no    no    off   no
remove files  pw    ok    ok    pw    pw    off   pw    off   pw    off   login login pw    pw    off   pw
see its downloads  no    no    ok    no    no    off   no    off   no    off   login  login  no    no    off   no
remove it     no    no    ok    no    no    off   no    off   no    off   login login no    no    off   no
`,
  },
  {
    title: 'where there are no user tokens',
    server: 'no tokens',
    uploads: { of: 'owner', kinds: ['protected'] },
    table: `
                        guest holds owner own*  other oth*  admin adm*  >own  >oth  gone  gone* left
new upload              ok    ok    ok    off   ok    off   ok    off   ok    ok    over  off   over
see it                  pw    ok    ok    off   pw    off   ok    off   ok    pw    pw    off   pw
see its preview  pw    file?  file?  off   pw    off   file?  off   file?  pw    pw    off   pw
add to it               no    ok    ok    off   no    off   no    off   ok    no    over  off   over
add a preview  no    file?  file?  off   no    off   no    off   file?  no    over  off   over
remove files            no    ok    ok    off   no    off   ok    off   ok    no    over  off   over
see its downloads  no    ok    ok    off   no    off   ok    off   ok    no    over  off   over
remove it               no    ok    ok    off   no    off   ok    off   ok    no    over  off   over
createMyToken           login login off   login off   login off   login no    no    over  login over
startCliLogin           off   off   off   off   off   off   off   off   off   off   off   off   off
approveCliLogin         login login off   login off   login off   login no    no    over  login over
pollCliLogin            off   off   off   off   off   off   off   off   off   off   off   off   off
pollCliLogin wrong      off   off   off   off   off   off   off   off   off   off   off   off   off
listMyTokens            login login ok    login ok    login ok    login no    no    over  login over
revokeMyToken of owner  login login ok    login tok?  login tok?  login no    no    over  login over
getMe                   login login ok    login ok    login ok    login ok    ok    over  login over
`,
  },
  {
    title: 'where there is no local login',
    server: 'no local login',
    table: `
                  guest holds owner own*  other oth*  admin adm*  >own  >oth  gone  gone* left
localLogin        off   off   off   off   off   off   off   off   off   off   off   off   off
localLogin wrong  off   off   off   off   off   off   off   off   off   off   off   off   off
logout            ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok
getMe             login login ok    login ok    login ok    login ok    ok    over  login over
startCliLogin     ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok
new upload        ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    over  token over
`,
  },
  {
    title: 'where no user may delete the own account',
    server: 'no account deletion',
    table: `
                  guest holds owner own*  other oth*  admin adm*  >own  >oth  gone  gone* left
removeMe          login login off   login off   login off   login off   off   over  login over
removeUser owner  login login no    login no    login ok    login no    no    over  login over
removeMyUploads   login login ok    login ok    login ok    login ok    ok    over  login over
`,
  },

  {
    title: 'where the providers are configured, and one cannot be reached',
    server: 'providers',
    table: `
                       guest holds owner own*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
providerLogin idp1     ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok
providerLogin idp2     ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok
providerLogin idp3     ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok
providerLogin oidc     down  down  down  down  down  down  down  down  down  down  down  down  down
providerCallback idp1  moved moved moved moved moved moved moved moved moved moved moved moved moved
providerCallback idp2  moved moved moved moved moved moved moved moved moved moved moved moved moved
providerCallback idp3  moved moved moved moved moved moved moved moved moved moved moved moved moved
providerCallback oidc  moved moved moved moved moved moved moved moved moved moved moved moved moved
`,
  },
]
