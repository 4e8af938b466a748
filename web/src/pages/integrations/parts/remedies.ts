// What to do about a failed permission, in the language of the dashboard. The API writes English; remedies that are not in
// this list are shown as they are.
import { useTranslations } from 'use-intl'

const known = [
  { id: 'delegation', looks: /Domain-wide delegation.* scope (\S+?)\.?$/ },
  { id: 'permission', looks: /Application permissions, add (\S+), and choose Grant admin consent/ },
  { id: 'newSecret', looks: /^Make a new client secret/ },
  { id: 'scimKey', looks: /^Make an API key with the scope/ },
  { id: 'scimAddress', looks: /^Identity providers need an https address/ },
  { id: 'scimPeople', looks: /^Correct them at the identity provider/ },
  { id: 'scimMembers', looks: /^Assign these people to the application/ },
  { id: 'role', looks: /^Give the administrator a role/ },
  { id: 'later', looks: /^Try again in some minutes/ },
  { id: 'newKey', looks: /^Make a new key/ },
  { id: 'secretAgain', looks: /^Send the secret again/ },
  { id: 'address', looks: /^Change the setting url/ },
  { id: 'hopHost', looks: /^Correct the host in next_hop/ },
  { id: 'hopPort', looks: /^Check host and port of next_hop/ },
  { id: 'hopAllows', looks: /^Allow the address of this machine at the next hop/ },
  { id: 'hopName', looks: /^Set SIGNOFF_RELAY_NAME/ },
  { id: 'hopTls', looks: /^Switch TLS on at the next hop/ },
  { id: 'hopCertificate', looks: /^The certificate of the next hop/ },
  { id: 'hopClosed', looks: /^Try again; the next hop closed/ },
  { id: 'relayTls', looks: /^Set SIGNOFF_RELAY_TLS_CERT/ },
  { id: 'relayTenant', looks: /^Write ;tenant=/ },
  { id: 'relayDomains', looks: /^Set domains here/ },
] as const

interface Remedy {
  readonly text: string
  /** What is pasted in the other system. */
  readonly copy: string | undefined
}

export function useRemedyOf(): (remedy: string) => Remedy {
  const t = useTranslations('integrations.remedies')
  return remedy => {
    for (const { id, looks } of known) {
      const found = looks.exec(remedy)
      if (found) return { text: t(id), copy: found[1] }
    }
    return { text: remedy, copy: undefined }
  }
}
