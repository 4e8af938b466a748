// The set-up of mail systems, filled in: what an administrator pastes into Exchange Online, Google or Postfix.

export const connectorTargets = ['exchange', 'google', 'postfix'] as const
export type ConnectorTarget = (typeof connectorTargets)[number]

export interface ConnectorFacts {
  /** Host at which mail servers reach the relay. */
  readonly relayHost: string
  readonly relayPort: number
  /** The name of this installation in the processed header. */
  readonly instance: string
  readonly domains: readonly string[]
  /** For the header by which the relay tells this customer of Google from others. */
  readonly secret: string
}

const headerName = 'X-Signoff-Processed'
const secretHeaderName = 'X-Signoff-Client'

const exchange = ({ relayHost, relayPort, instance, domains }: ConnectorFacts): string => `\
# Exchange Online, in PowerShell (Install-Module ExchangeOnlineManagement; Connect-ExchangeOnline).
# Mail goes: Exchange Online -> ${relayHost} -> Exchange Online -> recipient.
# The certificate of the relay must be issued by a public authority for a name in an accepted domain of the tenant.
# Exchange Online connects to port 25: forward it to the port of the relay (${relayPort}), or set SIGNOFF_RELAY_PORT=25.

# 1. The relay first: it must know its clients before mail comes. The id of the tenant keeps other customers of Microsoft
#    out, who have the same certificate. (Get-OrganizationConfig).Guid is another one; take the Tenant ID of the overview
#    page of Entra.
npx signoff integrations add relay \\
  --next-hop "smtp://<tenant>.mail.protection.outlook.com:25?starttls=required" \\
  --client "cn:mail.protection.outlook.com;tenant=<Tenant ID>"${domainOptions(domains)}

# 2. Back from the relay, known by its certificate.
New-InboundConnector -Name "Signoff relay (back)" -ConnectorType OnPremises -SenderDomains "smtp:*;1" \`
  -RequireTls $true -RestrictDomainsToCertificate $true -TlsSenderCertificateName "${relayHost}" \`
  -CloudServicesMailEnabled $true

# 3. To the relay.
New-OutboundConnector -Name "Signoff relay" -ConnectorType OnPremises -SmartHosts "${relayHost}" -UseMXRecord $false \`
  -TlsSettings DomainValidation -TlsDomain "${relayHost}" -IsTransportRuleScoped $true -CloudServicesMailEnabled $true

# 4. Which mail: that of a group with ten people. Later: Set-TransportRule "Signoff relay" -FromMemberOf $null \`
#    -FromScope InOrganization
New-TransportRule -Name "Signoff relay" -FromMemberOf "signature-test@${domains[0] ?? 'example.com'}" \`
  -RouteMessageOutboundConnector "Signoff relay" \`
  -ExceptIfHeaderContainsMessageHeader "${headerName}" -ExceptIfHeaderContainsWords "${instance}" \`
  -StopRuleProcessing $true

# Switch it off in a hurry: Disable-TransportRule "Signoff relay"
`

const google = ({ relayHost, relayPort, instance, domains, secret }: ConnectorFacts): string => `\
# Google Workspace, in the admin console (admin.google.com) as a super administrator.
# Mail goes: Gmail -> ${relayHost} -> smtp-relay.gmail.com -> recipient.

1. The relay first: it must know its clients before mail comes. The networks are those of Google that send mail
   (dig TXT _netblocks.google.com). All customers of Google send from them, so step 4 adds a secret header, which
   the relay takes out again:
npx signoff integrations add relay \\
  --next-hop "smtp://smtp-relay.gmail.com:587?starttls=required" \\
${['209.85.128.0/17', '74.125.0.0/16', '66.249.80.0/20']
  .map(network => `  --client "${network};header=${secretHeaderName}:${secret}"`)
  .join(' \\\n')}${domainOptions(domains)}

2. Apps > Google Workspace > Gmail > Routing > SMTP relay service > Configure
   Allowed senders:  Only addresses in my domains
   Authentication:   Only accept mail from the specified IP addresses: the public address of ${relayHost}
   Encryption:       Require TLS encryption
3. Apps > Google Workspace > Gmail > Hosts > Add route
   Name: Signoff relay     Single host: ${relayHost}, port ${relayPort}
   Require secure transport (TLS), Require CA signed certificate, Validate certificate hostname
4. Apps > Google Workspace > Gmail > Compliance: choose an organisational unit with ten people, then
   Content compliance > Configure
   Email messages to affect:  Outbound, and Internal - Sending
   Expressions: If ALL of the following match the message
     Advanced content match > Full headers > Not contains text > ${headerName}: ${instance}
   If the above expressions match: Modify message
     Headers > Add custom headers > ${secretHeaderName}: ${secret}
     Route > Change route > Signoff relay
   Show options > Account types to affect: Users. Later configure the same for the whole organisation.

   Switch it off in a hurry: disable the setting of step 4.

Google takes 100 recipients per message and 10,000 messages per person and day through this service.
`

const postfix = ({ relayHost, relayPort, domains }: ConnectorFacts): string => `\
# Postfix. Mail goes: Postfix -> ${relayHost}:${relayPort} -> Postfix (port 10026) -> recipient.

# 1. The relay first: it must know its clients before mail comes.
npx signoff integrations add relay \\
  --next-hop "smtp://<address of Postfix>:10026" \\
  --client <address of Postfix>${domainOptions(domains)}

# 2. /etc/postfix/master.cf: where mail comes back. It must not go to the relay again. The milter that signs with DKIM
#    (OpenDKIM, Rspamd) belongs here, after the relay; without one, write "-o smtpd_milters=".
10026 inet n - n - - smtpd
  -o syslog_name=postfix/signoff
  -o content_filter=
  -o smtpd_milters=<the milter for DKIM, such as inet:127.0.0.1:8891>
  -o mynetworks=127.0.0.0/8,<address of the relay>
  -o smtpd_recipient_restrictions=permit_mynetworks,reject
  -o smtpd_relay_restrictions=permit_mynetworks,reject

# 3. /etc/postfix/master.cf: only mail of own people goes to the relay, so it belongs to a submission service. Begin
#    with one on port 1587, which ten people use. Later move the line content_filter to the service on port 587.
1587 inet n - n - - smtpd
  -o content_filter=signoff:[${relayHost}]:${relayPort}
  (and the options of the service submission, without the milter for DKIM)
signoff unix - - n - 10 smtp
  -o smtp_send_xforward_command=no
  -o disable_dns_lookups=yes
  -o smtp_data_done_timeout=600s

# 4. systemctl reload postfix
#    Switch it off in a hurry: remove the line content_filter=signoff:… and reload.
`

const domainOptions = (domains: readonly string[]): string =>
  domains.map(domain => ` \\\n  --domain ${domain}`).join('')

const setups: Readonly<Record<ConnectorTarget, (facts: ConnectorFacts) => string>> = {
  exchange,
  google,
  postfix,
}

export const connectorSetup = (target: ConnectorTarget, facts: ConnectorFacts): string =>
  setups[target](facts).trimEnd()
