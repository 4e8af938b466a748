// All commands and their options. The code of a command is imported when it runs: this file loads nothing else, so that
// `signoff --help` and wrong arguments answer at once.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { roles } from '#kernel/api/scopes.ts'
import { billingCommands } from './billing-commands.ts'
import { integrationCommands, wholeNumber, workspaceOption } from './integration-commands.ts'

export function addCommands(program: Command): void {
  for (const add of [
    serveCommands,
    setupCommand,
    migrateCommand,
    distributeCommand,
    routeCommands,
    webCommand,
    workspaceCommands,
    memberCommands,
    accountCommands,
    ssoCommands,
    keyCommands,
    integrationCommands,
    billingCommands,
    analyticsCommands,
    secretCommands,
    demoCommand,
    backupCommands,
    mcpCommand,
  ]) {
    add(program)
  }
}

function serveCommands(program: Command): void {
  program
    .command('serve')
    .description('serve the API and work jobs, until stopped')
    .action(async () => (await import('./serve/serve.ts')).serve())
  program
    .command('work')
    .description('work jobs only, beside any number of other processes')
    .action(async () => (await import('./serve/work.ts')).work())
  program
    .command('relay')
    .description('run the SMTP relay only, beside any number of other processes')
    .action(async () => (await import('./serve/serve-relay.ts')).serveRelay())
}

function setupCommand(program: Command): void {
  program
    .command('setup-link')
    .description('print a link with which the owner chooses address, name and password; it works once')
    .action(async () => (await import('./installation/setup-link.ts')).printSetupLink())
}

function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to this version; `serve` does it too')
    .action(async () => (await import('./installation/migrate.ts')).migrate())
}

function distributeCommand(program: Command): void {
  program
    .command('distribute')
    .description('spread the tables over a Citus cluster, by workspace; can be repeated')
    .option('--shards <number>', 'parts into which each table is split, the first time', wholeNumber, 32)
    .action(async options => (await import('./installation/distribute.ts')).distributeTables(options))
}

function webCommand(program: Command): void {
  program
    .command('web')
    .description(
      'build the dashboard and the Outlook add-in ahead of the first start, as a container image does',
    )
    .action(async () => (await import('./installation/web.ts')).buildWeb())
}

function routeCommands(program: Command): void {
  program
    .command('routes')
    .description('print the API as one table: method, path, scope')
    .action(async () => (await import('./installation/routes.ts')).printRoutes())
  program
    .command('openapi')
    .description('print the API as an OpenAPI document')
    .option('--write <file>', 'write it to a file')
    .option('--check <file>', 'fail if the file is not this document')
    .action(async options => (await import('./installation/routes.ts')).printOpenApi(options))
}

function workspaceCommands(program: Command): void {
  const code = () => import('./workspace/workspaces.ts')
  const workspaces = program.command('workspaces').description('workspaces of this installation')
  workspaces
    .command('create <name>')
    .description('make a workspace with an owner and a key; show the key, once, and invite the owner')
    .requiredOption('--owner-email <address>', 'address of its owner')
    .option('--owner-name <name>', 'name of its owner', 'Owner')
    .action(async (name, options) => (await code()).create(name, options))
  workspaces
    .command('set')
    .description('change settings of a workspace')
    .option('--name <name>', 'name of the company')
    .option('--domains <list>', 'own domains, separated by commas; they replace the previous ones')
    .option('--time-zone <name>', 'time zone of the IANA, such as Europe/Berlin')
    .option('--locale <tag>', 'language of mails, such as en, de or de-AT')
    .option('--mail-sender-name <name>', 'sender name of mails; an empty one is the name of the company')
    .option(...workspaceOption)
    .action(async options => (await code()).set(options))
  const switches = [
    ['personal-page', 'whether every address has a private page where its owner can copy the signature'],
    ['tracking', 'whether views and clicks are counted; after a change, all signatures are installed again'],
    ['click-id', 'whether the service adds the id of a click to the address that the link leads to'],
  ] as const
  for (const [name, description] of switches)
    workspaces
      .command(`${name} <on|off>`)
      .description(description)
      .option(...workspaceOption)
      .action(async (value, options) => (await code()).turnSwitch(name, value, options))
  workspaces
    .command('click-parameter <name>')
    .description('the URL parameter that passes the id of a click to the page that the link leads to')
    .option(...workspaceOption)
    .action(async (name, options) => (await code()).renameClickParameter(name, options))
  workspaces
    .command('event-retention <days|forever>')
    .description('how long single events are kept; the counts stay')
    .option(...workspaceOption)
    .action(async (value, options) => (await code()).setRetention(value, options))
  workspaces
    .command('seat-limit <number|none>')
    .description('how many teammates may be active; those who are active stay so')
    .option(...workspaceOption)
    .action(async (value, options) => (await code()).setSeatLimit(value, options))
  workspaces
    .command('list')
    .description('list the workspaces')
    .action(async () => (await code()).list())
}

function ssoCommands(program: Command): void {
  const code = () => import('./workspace/sso.ts')
  const sso = program.command('sso').description('identity providers of a workspace: OpenID Connect and SAML')
  const withSettings = (command: Command): Command =>
    command
      .option('-n, --name <name>', 'how the sign-in page calls it', 'Single sign-on')
      .option('-d, --domain <domain...>', 'domains whose people can sign in')
      .addOption(
        new Option('-r, --role <role>', 'role of people without a mapped group; none refuses them')
          .choices(['admin', 'manager', 'member', 'none'])
          .default('member'),
      )
      .option('--group-claim <name>', 'claim or attribute with the groups')
      .option('-g, --group <group=role...>', 'role of a group, such as signoff-admins=admin')
      .option('--just-in-time', 'people of the domains become members at their first sign-in')
      .option('--trust-email', 'addresses of the domains count as confirmed (Microsoft Entra ID)')
      .option(...workspaceOption)
  withSettings(sso.command('add-oidc').description('connect a provider by OpenID Connect'))
    .requiredOption('-i, --issuer <address>', 'address of the provider')
    .requiredOption('-c, --client-id <id>', 'id that the provider has given to this service')
    .option('-s, --secret-file <path>', 'file with the secret of the client')
    .option('--scope <scope...>', 'what is asked of the provider; openid email profile unless given')
    .action(async options => (await code()).addOidc(options))
  withSettings(sso.command('add-saml').description('connect a provider by SAML 2.0'))
    .requiredOption('-m, --metadata <address or file>', 'metadata of the provider')
    .option('--idp-initiated', 'accept sign-ins that begin at the provider')
    .action(async options => (await code()).addSaml(options))
  sso
    .command('list')
    .description('list the connections, without their secrets, and the policy')
    .option(...workspaceOption)
    .action(async options => (await code()).listSso(options))
  ssoChangeCommands(sso)
}

function ssoChangeCommands(sso: Command): void {
  const code = () => import('./workspace/sso.ts')
  const checked = (state: string): 'on' | 'off' => {
    if (state === 'on' || state === 'off') return state
    throw new InvalidArgumentError('must be on or off')
  }
  sso
    .command('test <id>')
    .description('check a connection step by step; each step says what to do')
    .option(...workspaceOption)
    .action(async (id, options) => (await code()).testSso(id, options))
  sso
    .command('switch <id>')
    .argument('<on|off>', 'whether it signs people in', checked)
    .description('switch a connection on or off')
    .option(...workspaceOption)
    .action(async (id, state, options) => (await code()).switchSso(id, state, options))
  sso
    .command('remove <id>')
    .description('remove a connection; members stay')
    .option(...workspaceOption)
    .action(async (id, options) => (await code()).removeSso(id, options))
  sso
    .command('require')
    .argument('<on|off>', 'whether members get in by single sign-on alone', checked)
    .description('insist on single sign-on, or stop insisting')
    .option(...workspaceOption)
    .action(async (state, options) => (await code()).requireSso(state, options))
  sso
    .command('second-factor')
    .argument('<on|off>', 'whether members must give a second factor', checked)
    .description('require a second factor of members who do not come by single sign-on')
    .option(...workspaceOption)
    .action(async (state, options) => (await code()).requireSecondFactor(state, options))
  sso
    .command('trust <id>')
    .description('let the owner sign in through a connection that another member has set up')
    .option(...workspaceOption)
    .action(async (id, options) => (await code()).trustSso(id, options))
  sso
    .command('unlink <email>')
    .description('let the next sign-in of a member link by the address again, after a new account there')
    .option(...workspaceOption)
    .action(async (email, options) => (await code()).unlinkSso(email, options))
}

function memberCommands(program: Command): void {
  const code = () => import('./workspace/members.ts')
  const members = program.command('members').description('people who administer a workspace')
  const givenRole = new Option('-r, --role <role>', 'role of the member')
    .choices(roles.filter(name => name !== 'owner'))
    .default('member')
  members
    .command('add <email>')
    .description('add a member without an invitation, for example one whom an API key acts for')
    .option(...workspaceOption)
    .option('-n, --name <name>', 'name of the member; the part before the @ unless given')
    .addOption(givenRole)
    .action(async (email, options) => (await code()).add(email, options))
  members
    .command('invite <email>')
    .description('invite a person, who then chooses a password; without a mail server, print the link')
    .option(...workspaceOption)
    .option('-n, --name <name>', 'name of the member')
    .addOption(givenRole)
    .action(async (email, options) => (await code()).inviteByAddress(email, options))
  members
    .command('resend <email>')
    .description('invite a person again, with a new link; the old one stops working')
    .option(...workspaceOption)
    .action(async (email, options) => (await code()).resendToAddress(email, options))
  members
    .command('set-role <email> <role>')
    .description('change the role of a member to admin, manager or member')
    .option(...workspaceOption)
    .action(async (email, role, options) => (await code()).setRole(email, role, options))
  members
    .command('make-owner <email>')
    .description('make a member the owner; the old owner becomes an admin')
    .option(...workspaceOption)
    .action(async (email, options) => (await code()).transferOwnership(email, options))
  members
    .command('remove <email>')
    .description('remove a member, or withdraw an invitation; their sessions end and their keys are refused')
    .option(...workspaceOption)
    .action(async (email, options) => (await code()).removeByAddress(email, options))
  members
    .command('list')
    .description('list the members')
    .option(...workspaceOption)
    .action(async options => (await code()).list(options))
}

function accountCommands(program: Command): void {
  const code = () => import('./workspace/accounts.ts')
  const accounts = program.command('accounts').description('people who sign in, in all workspaces')
  accounts
    .command('list')
    .description('list the accounts with their ways to sign in')
    .action(async () => (await code()).listAll())
  accounts
    .command('reset <email>')
    .description('print a link that sets a new password, once, for a person who is locked out')
    .option(
      '--remove-second-factors',
      'the link also removes the authenticator app, passkeys and recovery codes',
    )
    .action(async (email, options) => (await code()).reset(email, options))
  accounts
    .command('sign-in-link <email>')
    .description('print a link that signs in without a password, once, for 15 minutes')
    .action(async email => (await code()).signInLink(email))
  accounts
    .command('verify <email>')
    .description('vouch for the address of an account that was made without a mail server')
    .action(async email => (await code()).verify(email))
  accounts
    .command('remove-second-factor <email>')
    .description('remove the authenticator app, passkeys and recovery codes of an account')
    .action(async email => (await code()).removeFactors(email))
  accounts
    .command('sign-out <email>')
    .description('end all sessions of an account')
    .action(async email => (await code()).signOut(email))
}

function keyCommands(program: Command): void {
  const code = () => import('./workspace/keys.ts')
  const keys = program.command('keys').description('API keys of a workspace')
  keys
    .command('create <name>')
    .description('make a key and show it, once')
    .option(...workspaceOption)
    .option('-m, --member <email>', 'the member that the key acts for; the owner unless given')
    .option('-s, --scopes <list>', 'scopes, separated by commas', '*')
    .option('-e, --expires <date>', 'when it expires, or `never`; in one year unless given')
    .action(async (name, options) => (await code()).create(name, options))
  keys
    .command('list')
    .description('list the keys, without their secrets')
    .option(...workspaceOption)
    .action(async options => (await code()).list(options))
  keys
    .command('revoke <id>')
    .description('end a key; every process refuses it within 5 seconds')
    .option(...workspaceOption)
    .action(async (id, options) => (await code()).revoke(id, options))
  keys
    .command('mint')
    .description('print a new well-formed key for SIGNOFF_API_KEY; nothing is stored')
    .action(async () => (await code()).mint())
}

function analyticsCommands(program: Command): void {
  const analytics = program.command('analytics').description('counts of views and clicks')
  analytics
    .command('rebuild')
    .description('count all kept events anew, while the service runs, and repair what differs')
    .option('-w, --workspace <id or name>', 'only this workspace')
    .action(async options => (await import('./installation/analytics.ts')).rebuild(options))
}

function secretCommands(program: Command): void {
  program
    .command('secrets')
    .description('secrets of connected systems')
    .command('reseal')
    .description(
      'seal all secrets again with the first key of SIGNOFF_SECRET_KEYS; after that, no secret needs the other keys',
    )
    .action(async () => (await import('./installation/secrets.ts')).reseal())
}

function demoCommand(program: Command): void {
  program
    .command('demo')
    .description('fill a workspace with believable data; running it again changes nothing')
    .option(...workspaceOption)
    .action(async options => (await import('./installation/demo.ts')).demo(options))
}

function mcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'serve the Model Context Protocol on standard input and output, for AI agents; see docs/build/mcp.md',
    )
    .action(async () => (await import('./serve/mcp.ts')).mcp())
}

function backupCommands(program: Command): void {
  program
    .command('backup <file>')
    .description('write everything in the data folder to one file (.tar.gz), while serving')
    .action(async file => (await import('./installation/backup.ts')).writeBackup(file))
  program
    .command('restore <file>')
    .description('make the data folder from a backup; it must not exist yet, or be empty')
    .action(async file => (await import('./installation/backup.ts')).restoreBackup(file))
}
