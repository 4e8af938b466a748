// The XML manifest ("add-in only manifest"): all Outlooks take it. The order of the elements is fixed by Microsoft's
// schema; an element in another place makes the whole manifest invalid.
import { launchEvents, type ManifestFacts, mailboxVersion } from './facts.ts'

const escaped = (text: string): string => text.replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`)

const events = launchEvents
  .map(({ xml, handler }) => `<LaunchEvent Type="${xml}" FunctionName="${handler}"/>`)
  .join('\n                ')

/** The runtime is named by a second reference to its page. */
const launchEventPoint = `<ExtensionPoint xsi:type="LaunchEvent">
              <LaunchEvents>
                ${events}
              </LaunchEvents>
              <SourceLocation resid="Launch.Page"/>
            </ExtensionPoint>`

const commandPoint = `<ExtensionPoint xsi:type="MessageComposeCommandSurface">
              <OfficeTab id="TabDefault">
                <Group id="Signoff.Group">
                  <Label resid="Group.Label"/>
                  <Control xsi:type="Button" id="Signoff.Pane">
                    <Label resid="Button.Label"/>
                    <Supertip>
                      <Title resid="Button.Label"/>
                      <Description resid="Button.Tip"/>
                    </Supertip>
                    <Icon>
                      <bt:Image size="16" resid="Icon.16"/>
                      <bt:Image size="32" resid="Icon.32"/>
                      <bt:Image size="80" resid="Icon.80"/>
                    </Icon>
                    <Action xsi:type="ShowTaskpane">
                      <SourceLocation resid="Pane.Page"/>
                    </Action>
                  </Control>
                </Group>
              </OfficeTab>
            </ExtensionPoint>`

export function xmlManifest(facts: ManifestFacts): string {
  const { id, version, company, names, base, page, script, pane, support, icon } = facts
  return `<?xml version="1.0" encoding="UTF-8"?>
<OfficeApp xmlns="http://schemas.microsoft.com/office/appforoffice/1.1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:bt="http://schemas.microsoft.com/office/officeappbasictypes/1.0" xsi:type="MailApp">
  <Id>${id}</Id>
  <Version>${version}.0</Version>
  <ProviderName>${escaped(company.slice(0, 125))}</ProviderName>
  <DefaultLocale>en-US</DefaultLocale>
  <DisplayName DefaultValue="${escaped(names.short)}"/>
  <Description DefaultValue="${escaped(names.description)}"/>
  <IconUrl DefaultValue="${icon(64)}"/>
  <HighResolutionIconUrl DefaultValue="${icon(128)}"/>
  <SupportUrl DefaultValue="${escaped(support)}"/>
  <AppDomains>
    <AppDomain>${new URL(base).origin}</AppDomain>
  </AppDomains>
  <Hosts>
    <Host Name="Mailbox"/>
  </Hosts>
  <Requirements>
    <Sets>
      <Set Name="Mailbox" MinVersion="1.3"/>
    </Sets>
  </Requirements>
  <FormSettings>
    <Form xsi:type="ItemEdit">
      <DesktopSettings>
        <SourceLocation DefaultValue="${pane}"/>
      </DesktopSettings>
    </Form>
  </FormSettings>
  <Permissions>ReadWriteItem</Permissions>
  <Rule xsi:type="ItemIs" ItemType="Message" FormType="Edit"/>
  <VersionOverrides xmlns="http://schemas.microsoft.com/office/mailappversionoverrides" xsi:type="VersionOverridesV1_0">
    <VersionOverrides xmlns="http://schemas.microsoft.com/office/mailappversionoverrides/1.1" xsi:type="VersionOverridesV1_1">
      <Requirements>
        <bt:Sets DefaultMinVersion="${mailboxVersion}">
          <bt:Set Name="Mailbox"/>
        </bt:Sets>
      </Requirements>
      <Hosts>
        <Host xsi:type="MailHost">
          <Runtimes>
            <Runtime resid="Launch.Page">
              <Override type="javascript" resid="Launch.Script"/>
            </Runtime>
          </Runtimes>
          <DesktopFormFactor>
            <SupportsSharedFolders>true</SupportsSharedFolders>
            <FunctionFile resid="Launch.Page"/>
            ${commandPoint}
            ${launchEventPoint}
          </DesktopFormFactor>
          <MobileFormFactor>
            ${launchEventPoint}
          </MobileFormFactor>
        </Host>
      </Hosts>
      <Resources>
        <bt:Images>
          <bt:Image id="Icon.16" DefaultValue="${icon(16)}"/>
          <bt:Image id="Icon.32" DefaultValue="${icon(32)}"/>
          <bt:Image id="Icon.80" DefaultValue="${icon(80)}"/>
        </bt:Images>
        <bt:Urls>
          <bt:Url id="Launch.Page" DefaultValue="${page}"/>
          <bt:Url id="Launch.Script" DefaultValue="${script}"/>
          <bt:Url id="Pane.Page" DefaultValue="${pane}"/>
        </bt:Urls>
        <bt:ShortStrings>
          <bt:String id="Group.Label" DefaultValue="${escaped(names.short)}"/>
          <bt:String id="Button.Label" DefaultValue="${escaped(names.button)}"/>
        </bt:ShortStrings>
        <bt:LongStrings>
          <bt:String id="Button.Tip" DefaultValue="${escaped(names.tip)}"/>
        </bt:LongStrings>
      </Resources>
    </VersionOverrides>
  </VersionOverrides>
</OfficeApp>
`
}
