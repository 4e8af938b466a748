// What an admin can do about errors of Microsoft's token endpoint, and about missing permissions.

const remedies: Readonly<Record<string, string>> = {
  AADSTS7000215: 'The client secret is wrong: send its value, not its id.',
  AADSTS7000222: 'The client secret has expired: make a new one under Certificates & secrets, and send it.',
  AADSTS700027:
    'The certificate is not registered, or has expired: upload it under Certificates & secrets of the app registration.',
  AADSTS700016: 'There is no such app in this tenant: check the setting client_id (Application (client) ID).',
  AADSTS90002:
    'There is no such tenant: check the setting tenant (Directory (tenant) ID), and the setting cloud.',
  AADSTS900023:
    'There is no such tenant: check the setting tenant (Directory (tenant) ID), and the setting cloud.',
  AADSTS7000112: 'The app is disabled: enable it under Enterprise apps, Properties.',
  AADSTS53003: 'A policy of Conditional Access blocks the app: exclude it there.',
}

export const tokenRemedy = (code: string): string =>
  remedies[code] ?? 'Check the tenant, the client id, and the secret or certificate of the app registration.'

export const permissionRemedy = (permission: string): string =>
  `In the Entra admin center, open the app registration, API permissions, Add a permission, Microsoft Graph, Application permissions, add ${permission}, and choose Grant admin consent.`
