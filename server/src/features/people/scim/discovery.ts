// What the server says about itself: RFC 7644, section 4, and RFC 7643, sections 5 to 7.
import { enterpriseUrn, groupUrn, type ScimJson, userUrn } from './attributes.ts'

export const mostResults = 200

export const serviceProviderConfig = (publicUrl: string): ScimJson => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: `${publicUrl}/docs/guides/directories/scim`,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: mostResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API key',
      description: 'An API key with the scope scim:write, sent as a bearer token.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${publicUrl}/scim/v2/ServiceProviderConfig` },
})

const resourceType = (
  name: 'User' | 'Group',
  schema: string,
  extensions: readonly string[],
  baseUrl: string,
) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint: `/${name}s`,
  description: name === 'User' ? 'People who get signatures' : 'Groups of people',
  schema,
  schemaExtensions: extensions.map(urn => ({ schema: urn, required: false })),
  meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
})

export const resourceTypes = (baseUrl: string): readonly (ScimJson & { readonly id: string })[] => [
  resourceType('User', userUrn, [enterpriseUrn], baseUrl),
  resourceType('Group', groupUrn, [], baseUrl),
]

export interface ScimAttribute {
  readonly name: string
  readonly type: string
  readonly multiValued: boolean
  readonly caseExact: boolean
  readonly subAttributes?: readonly ScimAttribute[]
}

type Extras = Partial<ScimAttribute> & Readonly<Record<string, unknown>>

const attribute = (name: string, type: string, extras: Extras = {}): ScimAttribute & Extras => ({
  name,
  type,
  multiValued: false,
  description: name,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...extras,
})
const text = (name: string, extras: Extras = {}) => attribute(name, 'string', extras)
const texts = (names: string) => names.split(' ').map(name => text(name))
const complex = (name: string, subAttributes: readonly ScimAttribute[], extras: Extras = {}) =>
  attribute(name, 'complex', { subAttributes, ...extras })
const entries = (name: string, parts: readonly ScimAttribute[]) =>
  complex(name, [...parts, text('type'), attribute('primary', 'boolean')], { multiValued: true })

const userAttributes = [
  text('userName', { required: true, uniqueness: 'server' }),
  text('externalId', { caseExact: true }),
  complex('name', texts('formatted familyName givenName middleName honorificPrefix honorificSuffix')),
  ...texts('displayName nickName title userType preferredLanguage locale timezone'),
  attribute('profileUrl', 'reference', { referenceTypes: ['external'] }),
  attribute('active', 'boolean'),
  entries('emails', [text('value'), text('display')]),
  ...['phoneNumbers', 'ims', 'photos', 'entitlements', 'roles'].map(name =>
    entries(name, [text('value'), text('display')]),
  ),
  entries('addresses', texts('formatted streetAddress locality region postalCode country')),
]

const groupAttributes = [
  text('displayName', { required: true, uniqueness: 'server' }),
  text('externalId', { caseExact: true }),
  complex(
    'members',
    [
      text('value', { mutability: 'immutable', caseExact: true }),
      text('display', { mutability: 'readOnly' }),
      text('type', { mutability: 'immutable', canonicalValues: ['User', 'Group'] }),
    ],
    { multiValued: true },
  ),
]

const enterpriseAttributes = [
  ...texts('employeeNumber costCenter organization division department'),
  complex('manager', [text('value', { caseExact: true }), text('displayName')]),
]

/** Attributes of all resources; the RFC leaves them out of /Schemas. */
const commonAttributes = [
  text('id', { caseExact: true }),
  text('schemas', { caseExact: true, multiValued: true }),
  text('meta.resourceType', { caseExact: true }),
  attribute('meta.created', 'dateTime'),
  attribute('meta.lastModified', 'dateTime'),
]

export const schemaAttributes = {
  common: commonAttributes,
  user: userAttributes,
  group: groupAttributes,
  enterprise: enterpriseAttributes,
}

const schema = (id: string, name: string, attributes: readonly object[], baseUrl: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  description: name,
  attributes,
  meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
})

export const schemaUrns: readonly string[] = [userUrn, groupUrn, enterpriseUrn]

export const scimSchemas = (baseUrl: string): readonly (ScimJson & { readonly id: string })[] => [
  schema(userUrn, 'User', userAttributes, baseUrl),
  schema(groupUrn, 'Group', groupAttributes, baseUrl),
  schema(enterpriseUrn, 'EnterpriseUser', enterpriseAttributes, baseUrl),
]
