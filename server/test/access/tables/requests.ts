import type { Block } from './block.ts'

/** Requests about upload requests, and about the uploads that they have received. */
export const requests: readonly Block[] = [
  {
    title: 'upload requests of the owner',
    server: 'accounts',
    uploads: { of: 'owner', kinds: ['received'] },
    table: `
                    guest asks  holds forge owner own*  up*   rd*   mg*   other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
createRequest       ok    ok    ok    ok    ok    ok    ok    no    no    ok    ok    ok    ok    no    no    xsrf  xsite over  token over
listRequests        login login login login ok    ok    no    ok    no    ok    ok    ok    ok    ok    ok    ok    ok    over  token over
listRequests all    no    no    no    no    no    no    no    no    no    no    no    ok    no    no    no    no    no    over  token over
getRequest          no    ok    no    no    ok    ok    no    ok    no    no    no    ok    no    ok    no    ok    ok    over  token over
listRequestUploads  no    ok    no    no    ok    ok    no    ok    no    no    no    ok    no    ok    no    ok    ok    over  token over
updateRequest       no    ok    no    no    ok    ok    no    no    ok    no    no    no    no    ok    no    xsrf  xsite over  token over
removeRequest       no    ok    no    no    ok    ok    no    no    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
showRequest         ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    token ok
sendToRequest       ok    ok    ok    ok    ok    ok    ok    no    no    ok    ok    ok    ok    ok    ok    xsrf  xsite over  token over
`,
  },
  {
    title: 'uploads that a request of the owner has received',
    server: 'accounts',
    uploads: { of: 'owner', kinds: ['received'] },
    table: `
                    guest asks  holds forge owner own*  up*   rd*   mg*   other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
see it              no    ok    ok    no    ok    ok    no    ok    no    no    no    ok    no    ok    no    ok    ok    no    token no
see its preview  no    file?  file?  no    file?  file?  no    file?  no    no    no    file?  no    file?  no    file?  file?  no    token  no
add to it           no    no    ok    no    ok    ok    ok    no    no    no    no    no    no    ok    no    xsrf  xsite over  token over
add a preview  no    no    file?  no    file?  file?  file?  no    no    no    no    no    no    file?  no    xsrf  xsite  over  token  over
remove files        no    ok    ok    no    ok    ok    no    no    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
see its downloads   no    ok    no    no    ok    ok    no    ok    no    no    no    ok    no    ok    no    ok    ok    over  token over
change it           no    no    no    no    no    no    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
mail it             no    no    no    no    bad   bad   no    no    bad   no    no    no    no    no    no    xsrf  xsite over  token over
remove it           no    ok    ok    no    ok    ok    no    no    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
`,
  },
  {
    title: 'upload requests of guests, and what they have received',
    server: 'accounts',
    uploads: { of: 'guest', kinds: ['received'] },
    table: `
                    guest asks  holds forge owner own*  other admin >own  -xsrf xsite gone  gone* left
getRequest          no    ok    no    no    no    no    no    ok    no    no    no    over  token over
updateRequest       no    ok    no    no    no    no    no    no    no    xsrf  xsite over  token over
sendToRequest       ok    ok    ok    ok    ok    ok    ok    ok    ok    xsrf  xsite over  token over
removeRequest       no    ok    no    no    no    no    no    ok    no    xsrf  xsite over  token over
see it              no    ok    ok    no    no    no    no    ok    no    no    no    no    token no
see its preview  no    file?  file?  no    no    no    no    file?  no    no    no    no    token  no
add to it           no    no    ok    no    no    no    no    no    no    xsrf  xsite over  token over
add a preview  no    no    file?  no    no    no    no    no    no    xsrf  xsite  over  token  over
change it           no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
remove it           no    ok    ok    no    no    no    no    ok    no    xsrf  xsite over  token over
`,
  },
  {
    title: 'where creating an upload request needs an account',
    server: 'requests of users',
    uploads: { of: 'owner', kinds: ['received'] },
    table: `
                    guest asks  holds owner own*  admin gone  gone* left
createRequest       anon  anon  anon  ok    ok    ok    over  token over
showRequest         ok    ok    ok    ok    ok    ok    ok    token ok
sendToRequest       ok    ok    ok    ok    ok    ok    over  token over
`,
  },
  {
    title: 'where uploads need an account',
    server: 'forced',
    uploads: { of: 'owner', kinds: ['received'] },
    table: `
                    guest asks  holds owner own*  admin gone  gone* left
createRequest       anon  anon  anon  ok    ok    ok    over  token over
sendToRequest       ok    ok    ok    ok    ok    ok    over  token over
add to it           no    no    ok    ok    ok    no    over  token over
add a preview  no    no    file?  file?  file?  no    over  token  over
`,
  },
  {
    title: 'where there are no upload requests',
    server: 'no requests',
    uploads: { of: 'owner', kinds: ['received'] },
    table: `
                    guest asks  holds owner own*  admin gone  gone* left
createRequest       off   off   off   off   off   off   over  token over
listRequests        off   off   off   off   off   off   over  token over
getRequest          off   off   off   off   off   off   over  token over
showRequest         off   off   off   off   off   off   off   token off
sendToRequest       off   off   off   off   off   off   over  token over
see it              no    ok    ok    ok    ok    ok    no    token no
see its preview  no    file?  file?  file?  file?  file?  no    token  no
`,
  },
]
