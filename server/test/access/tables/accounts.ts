import type { Block } from './block.ts'

/** Everything except uploads. */
export const accounts: readonly Block[] = [
  {
    title: 'accounts',
    server: 'accounts',
    table: `
                           guest holds forge owner own*  other oth*  admin adm*  >own  >oth  -xsrf xsite gone  gone* left
health                     ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok
ready                      ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok
getConfiguration           ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok
getVersion                 ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok
getQrCode                  ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok
getShareX                  ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok
streamUploadEvents         ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok

new upload                 ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    xsrf  xsite over  token over

localLogin                 ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    xsrf  xsite ok    ok    ok
localLogin wrong           pw    pw    pw    pw    pw    pw    pw    pw    pw    pw    pw    xsrf  xsite pw    pw    pw
logout                     ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    xsite ok    ok    ok
providerLogin idp1         none  none  none  none  none  none  none  none  none  none  none  none  none  none  none  none
providerLogin idp2         none  none  none  none  none  none  none  none  none  none  none  none  none  none  none  none
providerLogin idp3         none  none  none  none  none  none  none  none  none  none  none  none  none  none  none  none
providerLogin oidc         none  none  none  none  none  none  none  none  none  none  none  none  none  none  none  none
providerCallback idp1      moved moved moved moved moved moved moved moved moved moved moved moved moved moved moved moved
providerCallback idp2      moved moved moved moved moved moved moved moved moved moved moved moved moved moved moved moved
providerCallback idp3      moved moved moved moved moved moved moved moved moved moved moved moved moved moved moved moved
providerCallback oidc      moved moved moved moved moved moved moved moved moved moved moved moved moved moved moved moved
startCliLogin              ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    xsrf  xsite ok    ok    ok
describeCliLogin           login login login ok    login ok    login ok    login no    no    xsrf  xsite over  login over
approveCliLogin            login login login ok    login ok    login ok    login no    no    xsrf  xsite over  login over
describeCliLogin unknown   login login login code? login code? login code? login no    no    xsrf  xsite over  login over
approveCliLogin unknown    login login login code? login code? login code? login no    no    xsrf  xsite over  login over
pollCliLogin               ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    ok    xsrf  xsite ok    ok    ok
pollCliLogin wrong         pw    pw    pw    pw    pw    pw    pw    pw    pw    pw    pw    xsrf  xsite pw    pw    pw
pollCliLogin unknown       code? code? code? code? code? code? code? code? code? code? code? xsrf  xsite code? code? code?

getMe                      login login login ok    login ok    login ok    login ok    ok    ok    ok    over  login over
updateMe                   login login login ok    login ok    login ok    login ok    ok    xsrf  xsite over  login over
updateMe rights            login login login ok    login ok    login ok    login ok    ok    xsrf  xsite over  login over
removeMe                   login login login ok    login ok    login ok    login ok    ok    xsrf  xsite over  login over
listMySessions             login login login ok    login ok    login ok    login no    no    ok    ok    over  login over
revokeMySession of owner   login login login ok    login ses?  login ses?  login no    no    xsrf  xsite over  login over
listMyTokens               login login login ok    login ok    login ok    login no    no    ok    ok    over  login over
createMyToken              login login login ok    login ok    login ok    login no    no    xsrf  xsite over  login over
revokeMyToken of owner     login login login ok    login tok?  login tok?  login no    no    xsrf  xsite over  login over
listMyUploads              login login login ok    login ok    login ok    login ok    ok    ok    ok    over  login over
listMyUploads of owner     login login login ok    login no    login no    login ok    no    ok    ok    over  login over
listMyUploads by token     login login login ok    login ok    login ok    login ok    ok    ok    ok    over  login over
removeMyUploads            login login login ok    login ok    login ok    login ok    ok    xsrf  xsite over  login over
getMyStats                 login login login ok    login ok    login ok    login ok    ok    ok    ok    over  login over

streamMyEvents             login login login ok    ok    ok    ok    ok    ok    no    no    ok    ok    over  token over
getMyNotifications         login login login ok    login ok    login ok    login no    no    ok    ok    over  login over
updateMyNotifications      login login login ok    login ok    login ok    login no    no    xsrf  xsite over  login over
sendMyEmailConfirmation    login login login ok    login ok    login ok    login no    no    xsrf  xsite over  login over
confirmMyEmail wrong       login login login bad   login bad   login bad   login no    no    xsrf  xsite over  login over
getMyPush                  login login login ok    login ok    login ok    login no    no    ok    ok    over  login over
putMyPush                  login login login ok    login ok    login ok    login no    no    xsrf  xsite over  login over
removeMyPush unknown       login login login push? login push? login push? login no    no    xsrf  xsite over  login over
listMyWebhooks             login login login ok    login ok    login ok    login no    no    ok    ok    over  login over
createMyWebhook            login login login ok    login ok    login ok    login no    no    xsrf  xsite over  login over
updateMyWebhook of owner   login login login ok    login hook? login hook? login no    no    xsrf  xsite over  login over
rotateMyWebhookSecret of owner  login login login ok    login hook? login hook? login no    no    xsrf  xsite over  login over
listMyDeliveries of owner  login login login ok    login hook? login hook? login no    no    ok    ok    over  login over
replayMyDelivery unknown   login login login hook? login hook? login hook? login no    no    xsrf  xsite over  login over
removeMyWebhook of owner   login login login ok    login hook? login hook? login no    no    xsrf  xsite over  login over

getUser owner              login login login ok    login no    login ok    login ok    no    ok    ok    over  login over
getUser absent             login login login no    login no    login user? login no    no    no    no    over  login over
updateUser owner           login login login ok    login no    login ok    login ok    no    xsrf  xsite over  login over
updateUser quota           login login login no    login no    login ok    login no    no    xsrf  xsite over  login over
updateUser admin           login login login no    login no    login ok    login no    no    xsrf  xsite over  login over
updateUser password        login login login no    login no    login ok    login no    no    xsrf  xsite over  login over
updateUser absent          login login login no    login no    login user? login no    no    xsrf  xsite over  login over
removeUser owner           login login login no    login no    login ok    login no    no    xsrf  xsite over  login over
removeUser admin           login login login no    login no    login no    login no    no    xsrf  xsite over  login over
removeUser absent          login login login no    login no    login user? login no    no    xsrf  xsite over  login over

createUser                 login login login no    login no    login ok    login ok    ok    xsrf  xsite over  login over
listUsers                  login login login no    login no    login ok    login ok    ok    no    no    over  login over
searchUsers                login login login no    login no    login ok    login ok    ok    no    no    over  login over
listUploads                login login login no    login no    login ok    login ok    ok    no    no    over  login over
listUploads of owner       login login login no    login no    login ok    login ok    ok    no    no    over  login over
getStats                   login login login no    login no    login ok    login ok    ok    no    no    over  login over
getDailyStats              login login login no    login no    login ok    login ok    ok    no    no    over  login over
`,
  },

  {
    title: 'acting as another admin, who lends no rights of an admin',
    server: 'accounts',
    table: `
                           >adm
getVersion                 ok
getMe                      ok
updateMe                   ok
getUser owner              no
updateUser quota           no
removeUser owner           no
listMyUploads of owner     no
createUser                 ok
listUsers                  ok
`,
  },
  {
    title: 'tokens of one scope each, which open no account',
    server: 'accounts',
    table: `
                           up*   rd*   mg*
new upload                 ok    no    no
getMe                      login login login
streamMyEvents             no    ok    no
listMyTokens               login login login
listMyUploads              login login login
`,
  },
  {
    title: 'impersonating without the right to, or a user who does not exist',
    server: 'accounts',
    table: `
                           gst>  oth>  ad*>  >nil
getVersion                 ok    ok    ok    ok
new upload                 login no    no    user?
localLogin                 login no    login user?
logout                     ok    ok    ok    ok
startCliLogin              login no    login user?
approveCliLogin            login no    login user?
getMe                      login no    login user?
updateMe                   login no    login user?
removeMe                   login no    login user?
listMySessions             login no    login user?
revokeMySession of owner   login no    login user?
listMyTokens               login no    login user?
createMyToken              login no    login user?
revokeMyToken of owner     login no    login user?
listMyUploads              login no    login user?
removeMyUploads            login no    login user?
getUser owner              login no    login user?
updateUser quota           login no    login user?
removeUser owner           login no    login user?
createUser                 login no    login ok
listUsers                  login no    login ok
listUploads                login no    login ok
getStats                   login no    login ok
getDailyStats              login no    login ok
`,
  },
]
