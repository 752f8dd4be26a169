import type { Block } from './block.ts'

/** Requests about an upload, for each kind of upload. */
export const uploads: readonly Block[] = [
  {
    title: 'uploads of guests',
    server: 'accounts',
    uploads: { of: 'guest', kinds: ['plain', 'one-shot'] },
    table: `
              guest pw-   pw+   holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
preflight     free  free  free  free  free  free  free  free  free  free  free  free  free  free  free  free  free  free
see it        ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    token ok
see its preview  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  token  file?
add to it     no    no    no    ok    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
add a preview  no    no    no    file?  no    no    no    no    no    no    no    no    no    xsrf  xsite  over  token  over
start a file  no    no    no    made  no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
get the offset  no    no    no    done  no    no    no    no    no    no    no    no    no    no    no    over  token over
get the offset by tus  no    no    no    ok    no    no    no    no    no    no    no    no    no    no    no    over  token over
get the offset by POST  no    no    no    ok    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
append to a stored one  no    no    no    whole  no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
remove files  no    no    no    ok    no    no    no    no    no    ok    no    no    no    xsrf  xsite over  token over
cancel a stored one  no    no    no    done  no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
see its downloads  no    no    no    ok    no    no    no    no    no    ok    no    no    no    no    no    over  token  over
change it     no    no    no    no    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
mail it       no    no    no    no    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
remove it     no    no    no    ok    no    no    no    no    no    ok    no    no    no    xsrf  xsite over  token over
`,
  },
  {
    title: 'removable uploads of guests',
    server: 'accounts',
    uploads: { of: 'guest', kinds: ['removable'] },
    table: `
              guest pw-   pw+   holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
see it        ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    token ok
see its preview  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  token  file?
add to it     no    no    no    ok    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
add a preview  no    no    no    file?  no    no    no    no    no    no    no    no    no    xsrf  xsite  over  token  over
start a file  no    no    no    made  no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
get the offset  no    no    no    done  no    no    no    no    no    no    no    no    no    no    no    over  token over
get the offset by tus  no    no    no    ok    no    no    no    no    no    no    no    no    no    no    no    over  token over
get the offset by POST  no    no    no    ok    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
append to a stored one  no    no    no    whole  no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
remove files  ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    xsrf  xsite over  token over
cancel a stored one  no    no    no    done  no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
see its downloads  no    no    no    ok    no    no    no    no    no    ok    no    no    no    no    no    over  token  over
change it     no    no    no    no    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
mail it       no    no    no    no    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
remove it     no    no    no    ok    no    no    no    no    no    ok    no    no    no    xsrf  xsite over  token over
`,
  },
  {
    title: 'protected uploads of guests',
    server: 'accounts',
    uploads: { of: 'guest', kinds: ['protected'] },
    table: `
              guest pw-   pw+   holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
preflight     free  free  free  free  free  free  free  free  free  free  free  free  free  free  free  free  free  free
open its page  ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok
see it        pw    pw    ok    ok    pw    pw    pw    pw    pw    ok    pw    pw    pw    pw    pw    pw    token pw
see its preview  pw    pw    file?  file?  pw    pw    pw    pw    pw    file?  pw    pw    pw    pw    pw    pw    token  pw
add to it     no    no    no    ok    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
add a preview  no    no    no    file?  no    no    no    no    no    no    no    no    no    xsrf  xsite  over  token  over
start a file  no    no    no    made  no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
get the offset  no    no    no    done  no    no    no    no    no    no    no    no    no    no    no    over  token over
get the offset by tus  no    no    no    ok    no    no    no    no    no    no    no    no    no    no    no    over  token over
get the offset by POST  no    no    no    ok    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
append to a stored one  no    no    no    whole  no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
remove files  no    no    no    ok    no    no    no    no    no    ok    no    no    no    xsrf  xsite over  token over
cancel a stored one  no    no    no    done  no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
see its downloads  no    no    no    ok    no    no    no    no    no    ok    no    no    no    no    no    over  token  over
change it     no    no    no    no    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
mail it       no    no    no    no    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
remove it     no    no    no    ok    no    no    no    no    no    ok    no    no    no    xsrf  xsite over  token over
`,
  },
  {
    title: 'protected uploads of guests that are removable',
    server: 'accounts',
    uploads: { of: 'guest', kinds: ['protected and removable'] },
    table: `
              guest pw-   pw+   holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
see it        pw    pw    ok    ok    pw    pw    pw    pw    pw    ok    pw    pw    pw    pw    pw    pw    token pw
see its preview  pw    pw    file?  file?  pw    pw    pw    pw    pw    file?  pw    pw    pw    pw    pw    pw    token  pw
add to it     no    no    no    ok    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
add a preview  no    no    no    file?  no    no    no    no    no    no    no    no    no    xsrf  xsite  over  token  over
start a file  no    no    no    made  no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
get the offset  no    no    no    done  no    no    no    no    no    no    no    no    no    no    no    over  token over
get the offset by tus  no    no    no    ok    no    no    no    no    no    no    no    no    no    no    no    over  token over
get the offset by POST  no    no    no    ok    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
append to a stored one  no    no    no    whole  no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
remove files  pw    pw    ok    ok    pw    pw    pw    pw    pw    ok    pw    pw    pw    xsrf  xsite over  token over
cancel a stored one  no    no    no    done  no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
see its downloads  no    no    no    ok    no    no    no    no    no    ok    no    no    no    no    no    over  token  over
change it     no    no    no    no    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
mail it       no    no    no    no    no    no    no    no    no    no    no    no    no    xsrf  xsite over  token over
remove it     no    no    no    ok    no    no    no    no    no    ok    no    no    no    xsrf  xsite over  token over
`,
  },

  {
    title: 'uploads of the owner',
    server: 'accounts',
    uploads: { of: 'owner', kinds: ['plain', 'one-shot'] },
    table: `
              guest pw-   pw+   holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
preflight     free  free  free  free  free  free  free  free  free  free  free  free  free  free  free  free  free  free
see it        ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    token ok
see its preview  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  token  file?
add to it     no    no    no    ok    no    ok    ok    no    no    no    no    ok    no    xsrf  xsite over  token over
add a preview  no    no    no    file?  no    file?  file?  no    no    no    no    file?  no    xsrf  xsite  over  token  over
start a file  no    no    no    made  no    made  made  no    no    no    no    made  no    xsrf  xsite over  token over
get the offset  no    no    no    done  no    done  done  no    no    no    no    done  no    done  done  over  token over
get the offset by tus  no    no    no    ok    no    ok    ok    no    no    no    no    ok    no    ok    ok    over  token over
get the offset by POST  no    no    no    ok    no    ok    ok    no    no    no    no    ok    no    xsrf  xsite over  token over
append to a stored one  no    no    no    whole  no    whole  whole  no    no    no    no    whole  no    xsrf  xsite over  token over
remove files  no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
cancel a stored one  no    no    no    done  no    done  done  no    no    no    no    done  no    xsrf  xsite over  token over
see its downloads  no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    ok    ok    over  token  over
change it     no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
mail it       no    no    no    no    no    ok    ok    no    no    no    no    no    no    xsrf  xsite over  token over
remove it     no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
`,
  },
  {
    title: 'removable uploads of the owner',
    server: 'accounts',
    uploads: { of: 'owner', kinds: ['removable'] },
    table: `
              guest pw-   pw+   holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
see it        ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    token ok
see its preview  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  file?  token  file?
add to it     no    no    no    ok    no    ok    ok    no    no    no    no    ok    no    xsrf  xsite over  token over
add a preview  no    no    no    file?  no    file?  file?  no    no    no    no    file?  no    xsrf  xsite  over  token  over
start a file  no    no    no    made  no    made  made  no    no    no    no    made  no    xsrf  xsite over  token over
get the offset  no    no    no    done  no    done  done  no    no    no    no    done  no    done  done  over  token over
get the offset by tus  no    no    no    ok    no    ok    ok    no    no    no    no    ok    no    ok    ok    over  token over
get the offset by POST  no    no    no    ok    no    ok    ok    no    no    no    no    ok    no    xsrf  xsite over  token over
append to a stored one  no    no    no    whole  no    whole  whole  no    no    no    no    whole  no    xsrf  xsite over  token over
remove files  ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    xsrf  xsite over  token over
cancel a stored one  no    no    no    done  no    done  done  no    no    no    no    done  no    xsrf  xsite over  token over
see its downloads  no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    ok    ok    over  token  over
change it     no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
mail it       no    no    no    no    no    ok    ok    no    no    no    no    no    no    xsrf  xsite over  token over
remove it     no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
`,
  },
  {
    title: 'protected uploads of the owner',
    server: 'accounts',
    uploads: { of: 'owner', kinds: ['protected'] },
    table: `
              guest pw-   pw+   holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
see it        pw    pw    ok    ok    pw    ok    ok    pw    pw    ok    pw    ok    pw    ok    ok    pw    token pw
see its preview  pw    pw    file?  file?  pw    file?  file?  pw    pw    file?  pw    file?  pw    file?  file?  pw    token  pw
add to it     no    no    no    ok    no    ok    ok    no    no    no    no    ok    no    xsrf  xsite over  token over
add a preview  no    no    no    file?  no    file?  file?  no    no    no    no    file?  no    xsrf  xsite  over  token  over
start a file  no    no    no    made  no    made  made  no    no    no    no    made  no    xsrf  xsite over  token over
get the offset  no    no    no    done  no    done  done  no    no    no    no    done  no    done  done  over  token over
get the offset by tus  no    no    no    ok    no    ok    ok    no    no    no    no    ok    no    ok    ok    over  token over
get the offset by POST  no    no    no    ok    no    ok    ok    no    no    no    no    ok    no    xsrf  xsite over  token over
append to a stored one  no    no    no    whole  no    whole  whole  no    no    no    no    whole  no    xsrf  xsite over  token over
remove files  no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
cancel a stored one  no    no    no    done  no    done  done  no    no    no    no    done  no    xsrf  xsite over  token over
see its downloads  no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    ok    ok    over  token  over
change it     no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
mail it       no    no    no    no    no    ok    ok    no    no    no    no    no    no    xsrf  xsite over  token over
remove it     no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
`,
  },
  {
    title: 'protected uploads of the owner that are removable',
    server: 'accounts',
    uploads: { of: 'owner', kinds: ['protected and removable'] },
    table: `
              guest pw-   pw+   holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
see it        pw    pw    ok    ok    pw    ok    ok    pw    pw    ok    pw    ok    pw    ok    ok    pw    token pw
see its preview  pw    pw    file?  file?  pw    file?  file?  pw    pw    file?  pw    file?  pw    file?  file?  pw    token  pw
add to it     no    no    no    ok    no    ok    ok    no    no    no    no    ok    no    xsrf  xsite over  token over
add a preview  no    no    no    file?  no    file?  file?  no    no    no    no    file?  no    xsrf  xsite  over  token  over
start a file  no    no    no    made  no    made  made  no    no    no    no    made  no    xsrf  xsite over  token over
get the offset  no    no    no    done  no    done  done  no    no    no    no    done  no    done  done  over  token over
get the offset by tus  no    no    no    ok    no    ok    ok    no    no    no    no    ok    no    ok    ok    over  token over
get the offset by POST  no    no    no    ok    no    ok    ok    no    no    no    no    ok    no    xsrf  xsite over  token over
append to a stored one  no    no    no    whole  no    whole  whole  no    no    no    no    whole  no    xsrf  xsite over  token over
remove files  pw    pw    ok    ok    pw    ok    ok    pw    pw    ok    pw    ok    pw    xsrf  xsite over  token over
cancel a stored one  no    no    no    done  no    done  done  no    no    no    no    done  no    xsrf  xsite over  token over
see its downloads  no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    ok    ok    over  token  over
change it     no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
mail it       no    no    no    no    no    ok    ok    no    no    no    no    no    no    xsrf  xsite over  token over
remove it     no    no    no    ok    no    ok    ok    no    no    ok    no    ok    no    xsrf  xsite over  token over
`,
  },

  {
    title: 'uploads of the owner, with tokens of one scope each',
    server: 'accounts',
    uploads: { of: 'owner', kinds: ['plain', 'one-shot'] },
    table: `
              up*   rd*   mg*
see it        ok    ok    ok
see its preview  file?  file?  file?
add to it     ok    no    no
add a preview  file?  no    no
start a file  made  no    no
get the offset  done  no    no
get the offset by tus  ok    no    no
get the offset by POST  ok    no    no
append to a stored one  whole  no    no
remove files  no    no    ok
cancel a stored one  no    no    no
see its downloads  no    ok    no
change it     no    no    ok
mail it       no    no    ok
remove it     no    no    ok
`,
  },
  {
    title: 'protected uploads of the owner, with tokens of one scope each',
    server: 'accounts',
    uploads: { of: 'owner', kinds: ['protected'] },
    table: `
              up*   rd*   mg*
see it        pw    ok    pw
see its preview  pw    file?  pw
add to it     ok    no    no
add a preview  file?  no    no
start a file  made  no    no
get the offset  done  no    no
get the offset by tus  ok    no    no
get the offset by POST  ok    no    no
append to a stored one  whole  no    no
remove files  no    no    ok
cancel a stored one  no    no    no
see its downloads  no    ok    no
change it     no    no    ok
mail it       no    no    ok
remove it     no    no    ok
`,
  },
  {
    title: 'protected uploads of the owner that are removable, with tokens of one scope each',
    server: 'accounts',
    uploads: { of: 'owner', kinds: ['protected and removable'] },
    table: `
              up*   rd*   mg*
remove files  pw    pw    ok
`,
  },

  {
    title:
      'uploads of the owner for those who impersonate without the right to, or a user who does not exist',
    server: 'accounts',
    uploads: { of: 'owner', kinds: ['plain', 'protected'] },
    table: `
              gst>  oth>  ad*>  >nil
preflight     free  free  free  free
see it        login no    no    user?
see its preview  login  no    no    user?
add to it     login no    no    user?
add a preview  login  no    no    user?
start a file  login no    no    user?
get the offset  login no    no    user?
get the offset by tus  login no    no    user?
get the offset by POST  login no    no    user?
append to a stored one  login no    no    user?
remove files  login no    no    user?
cancel a stored one  login no    no    user?
see its downloads  login  no    no    user?
change it     login no    no    user?
mail it       login no    no    user?
remove it     login no    no    user?
`,
  },
  {
    title: 'protected uploads of the owner for an admin who acts as another admin',
    server: 'accounts',
    uploads: { of: 'owner', kinds: ['protected'] },
    table: `
              >adm
see it        pw
see its preview  pw
add to it     no
add a preview  no
start a file  no
get the offset  no
get the offset by tus  no
get the offset by POST  no
append to a stored one  no
remove files  no
cancel a stored one  no
see its downloads  no
change it     no
mail it       no
remove it     no
`,
  },
]
