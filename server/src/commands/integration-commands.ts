// The commands about connected systems: see index.ts.
import { type Command, InvalidArgumentError } from 'commander'

export const workspaceOption = [
  '-w, --workspace <id or name>',
  'the workspace; not needed while there is only one',
] as const

export const wholeNumber = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('must be a whole number')
}

export function integrationCommands(program: Command): void {
  const integrations = program.command('integrations').description('connected systems of a workspace')
  const add = integrations.command('add').description('connect a system')
  addingCommands(add)
  microsoftCommand(add)
  outlookCommands(add, integrations)
  ldapCommand(add)
  relayCommand(add)
  const change = integrations.command('change').description('change a connected system')
  ldapOptions(
    change
      .command('ldap <id>')
      .description('what is given changes, the rest stays; an empty value brings back the usual one'),
  )
    .option('-u, --url <address>', 'ldaps://host, or ldap://host with StartTLS')
    .option('-p, --preset <name>', 'active_directory, openldap or freeipa')
    .option('-n, --name <name>', 'how to call it')
    .action(async (id, options) => (await import('./integrations/ldap.ts')).changeLdap(id, options))
  relayOptions(
    change
      .command('relay <id>')
      .description('what is given changes, the rest stays; an empty value brings back the usual one'),
  ).action(async (id, options) => (await import('./integrations/relay.ts')).changeRelay(id, options))
  directoryCommands(integrations)
  integrations
    .command('list')
    .description('list the connected systems, without their secrets')
    .option(...workspaceOption)
    .action(async options => (await import('./integrations/integrations.ts')).list(options))
  integrations
    .command('remove <id>')
    .description('disconnect a system; the signatures that it has installed stay')
    .option(...workspaceOption)
    .action(async (id, options) => (await import('./integrations/integrations.ts')).remove(id, options))
}

function addingCommands(add: Command): void {
  add
    .command('webhook')
    .description('post rendered signatures to your own system; shows the secret they are signed with, once')
    .requiredOption('-u, --url <address>', 'address that the signatures are posted to')
    .option('-n, --name <name>', 'how to call it', 'Webhook')
    .option(...workspaceOption)
    .action(async options => (await import('./integrations/integrations.ts')).addWebhook(options))
  add
    .command('google')
    .description('Google Workspace, by a service account with domain-wide delegation')
    .requiredOption('-k, --key-file <path>', 'the JSON key of the service account')
    .requiredOption('-a, --admin <email>', 'an administrator of the domain')
    .option('-n, --name <name>', 'how to call it', 'Google Workspace')
    .option('-c, --check', 'first try whether Google lets the account act for the administrator')
    .option('-d, --directory', 'also read people, groups and org units')
    .option('--no-channel', 'write no signatures into Gmail')
    .option('--no-drive', 'only fill values and groups of people who are teammates already')
    .option('--grace-days <days>', 'when people who are missing are removed', wholeNumber)
    .option('--repair <mode>', 'when a signature was changed in a mailbox: off, report or restore')
    .option('--api <address>', 'another address for the Gmail API, such as a proxy')
    .option('--directory-api <address>', 'another address for the Admin SDK')
    .option('--token-uri <address>', 'another address for access tokens')
    .option(...workspaceOption)
    .action(async options => (await import('./integrations/google.ts')).addGoogle(options))
  add
    .command('csv')
    .description('CSV files as a directory: imports with the mode directory are its runs')
    .option('-n, --name <name>', 'how to call it', 'CSV files')
    .option('--id-column <name>', 'column of a number that stays when a person is renamed')
    .option('--alias-column <name>', 'column of further addresses')
    .option('--group-column <name...>', 'columns whose values become groups')
    .option('--no-drive', 'only fill values and groups of people who are teammates already')
    .option('--grace-days <days>', 'when people who are missing are removed', wholeNumber)
    .option(...workspaceOption)
    .action(async options => (await import('./integrations/integrations.ts')).addCsv(options))
  add
    .command('scim')
    .description('an identity provider that sends users and groups by SCIM 2.0, such as Okta or Entra')
    .option('-n, --name <name>', 'how to call it', 'SCIM')
    .option('--no-drive', 'only fill values and groups of people who are teammates already')
    .option('--grace-days <days>', 'when people who were deleted there are removed', wholeNumber)
    .option(...workspaceOption)
    .action(async options => (await import('./integrations/integrations.ts')).addScim(options))
}

function microsoftCommand(add: Command): void {
  add
    .command('microsoft')
    .description('people and groups of Microsoft Entra, by an app registration')
    .requiredOption('-t, --tenant <id>', 'the Directory (tenant) ID')
    .requiredOption('-i, --client-id <id>', 'the Application (client) ID')
    .option('-s, --secret-file <path>', 'a file with the value of a client secret')
    .option('-c, --certificate-file <path>', 'instead of a secret: the certificate in PEM form')
    .option('-k, --key-file <path>', 'its private key in PEM form; default: the file of the certificate')
    .option('-n, --name <name>', 'how to call it', 'Microsoft 365')
    .option('--cloud <name>', 'global, us_government, us_government_dod or china')
    .option('--extra-attribute <name...>', 'further properties of users, such as directory extensions')
    .option('--no-drive', 'only fill values and groups of people who are teammates already')
    .option('--grace-days <days>', 'when people who are missing are removed', wholeNumber)
    .option('--graph-api <address>', 'another address for Microsoft Graph, such as a proxy')
    .option('--login-api <address>', 'another address for access tokens')
    .option(...workspaceOption)
    .action(async options => (await import('./integrations/microsoft.ts')).addMicrosoft(options))
}

function outlookCommands(add: Command, integrations: Command): void {
  const code = () => import('./integrations/outlook.ts')
  add
    .command('outlook')
    .description('the Outlook add-in, which fetches signatures; shows the address of its manifest')
    .option('-n, --name <name>', 'how to call it', 'Outlook')
    .option('--sign-in', 'people sign in by nested app authentication; needs --tenant and --client-id')
    .option('-t, --tenant <id>', 'the Directory (tenant) ID')
    .option('-i, --client-id <id>', 'the Application (client) ID of the app registration of the add-in')
    .option('--token-fallback', 'an Outlook that cannot sign in gets signatures by the token alone')
    .option('--shared-address <address...>', 'addresses that everybody can write from')
    .option('--login-api <address>', 'another address for the keys of Microsoft')
    .option(...workspaceOption)
    .action(async options => (await code()).addOutlook(options))
  const outlook = integrations.command('outlook').description('the tokens of an Outlook add-in')
  outlook
    .command('tokens <id>')
    .description('list the tokens, with the addresses of their manifests')
    .option(...workspaceOption)
    .action(async (id, options) => (await code()).printTokens(id, options))
  outlook
    .command('rotate <id>')
    .description('make a second token; both work until one is revoked')
    .option(...workspaceOption)
    .action(async (id, options) => (await code()).rotateToken(id, options))
  outlook
    .command('revoke <id> <token>')
    .description('revoke a token: add-ins that use it get no signatures any more')
    .option(...workspaceOption)
    .action(async (id, token, options) => (await code()).revokeOldToken(id, token, options))
}

function ldapCommand(add: Command): void {
  ldapOptions(add.command('ldap').description('people and groups of Active Directory, OpenLDAP or FreeIPA'))
    .requiredOption('-u, --url <address>', 'ldaps://host, or ldap://host with StartTLS')
    .requiredOption('-p, --preset <name>', 'active_directory, openldap or freeipa')
    .option('-n, --name <name>', 'how to call it', 'LDAP')
    .option('--no-drive', 'only fill values and groups of people who are teammates already')
    .option('--grace-days <days>', 'when people who are missing are removed', wholeNumber)
    .action(async options => (await import('./integrations/ldap.ts')).addLdap(options))
}

/** Each is a setting; the preset has the usual values. */
const ldapOptions = (command: Command): Command =>
  command
    .option('--start-tls', 'of ldap://: encrypt the connection first, which is the default')
    .option('--no-start-tls', 'of ldap://: send everything unencrypted, the password too')
    .option('--ca-file <path>', 'PEM of the authority that issued the certificate of the server')
    .option('-b, --bind-dn <dn>', 'the account that reads; none: anonymous')
    .option('--password-file <path>', 'file with its password; SIGNOFF_LDAP_PASSWORD is read otherwise')
    .option('--people-base <dn...>', 'where people are')
    .option('--group-base <dn...>', 'where groups are')
    .option('--people-filter <filter>', 'which entries are people')
    .option('--group-filter <filter>', 'which entries are groups')
    .option('--id-attribute <name>', 'an id that stays when an entry is renamed')
    .option('--address-attribute <name>', 'the primary address')
    .option('--alias-attribute <name...>', 'further addresses')
    .option('--photo-attribute <name>', 'the photo')
    .option('--disabled-attribute <name>', 'says that an account is disabled')
    .option('--disabled-value <value...>', 'values of it that mean disabled')
    .option('--group-name-attribute <name>', 'the name of a group')
    .option('--member-attribute <name...>', 'the members of a group')
    .option('--attribute <name...>', 'further attributes of people, to map smart fields to')
    .option('--page-size <entries>', 'entries that are asked for at once', wholeNumber)
    .option(...workspaceOption)

function relayCommand(add: Command): void {
  relayOptions(
    add
      .command('relay')
      .description('SMTP relay that puts signatures into mail on its way: see docs/connect/relay.md'),
  )
    .option('--print-exchange', 'only print the set-up of Exchange Online, filled in')
    .option('--print-google', 'only print the set-up of Google Workspace, filled in')
    .option('--print-postfix', 'only print the set-up of Postfix, filled in')
    .action(async options => (await import('./integrations/relay.ts')).addRelay(options))
}

function relayOptions(command: Command): Command {
  return command
    .option(
      '--next-hop <address>',
      'smtp://host:port, smtps://host:port or smtp://host:port?starttls=required',
    )
    .option(
      '-c, --client <client...>',
      'who may send: an address, a network, or cn: and the name in a certificate',
    )
    .option('-d, --domain <domain...>', 'domains of senders; the own domains of the workspace unless given')
    .option(
      '-m, --mails <kind...>',
      'which mail gets a signature: external, internal, replies; all unless given',
    )
    .option('--stamp-timeout <ms>', 'after which a message goes on without a signature', wholeNumber)
    .option('--dkim-domain <domain>', 'sign what leaves the relay with DKIM, for this domain')
    .option('--dkim-selector <name>', 'selector of the DKIM key')
    .option('--dkim-key-file <path>', 'private key for DKIM (PEM file); it is stored sealed')
    .option('-n, --name <name>', 'how to call it')
    .option(...workspaceOption)
}

function directoryCommands(integrations: Command): void {
  const code = () => import('./integrations/integrations.ts')
  integrations
    .command('test <id>')
    .description('try every permission that a connected system needs')
    .option(...workspaceOption)
    .action(async (id, options) => (await code()).test(id, options))
  integrations
    .command('map <id> <mappings...>')
    .description('fill smart fields from a directory: job_title=organizations.title; job_title= ends it')
    .option(...workspaceOption)
    .action(async (id, mappings, options) => (await code()).map(id, mappings, options))
  integrations
    .command('sync [id]')
    .description('read a directory now, and show what changed')
    .option('--dry-run', 'write nothing, and show what would change')
    .option('--full', 'read everything, not only what has changed since the last run')
    .option(...workspaceOption)
    .action(async (id, options) => (await code()).sync(id, options))
  integrations
    .command('approve <run>')
    .description('let the people leave whom a run has held')
    .option(...workspaceOption)
    .action(async (id, options) => (await code()).approve(id, options))
}
