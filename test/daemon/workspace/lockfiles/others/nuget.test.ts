import { expect, test } from 'vitest';
import { nuget } from '../../../../../daemon/workspace/lockfiles/others/nuget.ts';
import { readBrief, textFiles } from '../../../../helpers/workspace-files.ts';

const SOLUTION = `\uFEFF
Microsoft Visual Studio Solution File, Format Version 12.00
Project("{9A19103F-16F7-4668-BE54-9A1E7A4F7556}") = "Api", "src\\Api\\Api.csproj", "{11111111-1111-1111-1111-111111111111}"
EndProject
Project("{2150E333-8FDC-42A3-9474-1A3956D46DE8}") = "docs", "docs", "{22222222-2222-2222-2222-222222222222}"
EndProject
Project("{F2A71F9B-5D33-465A-A702-920D77279786}") = "Core", "src\\Core\\Core.fsproj", "{33333333-3333-3333-3333-333333333333}"
EndProject
Project("{9A19103F-16F7-4668-BE54-9A1E7A4F7556}") = "Out", "..\\Out\\Out.csproj", "{44444444-4444-4444-4444-444444444444}"
EndProject
Global
EndGlobal
`;
const API = `<Project Sdk="Microsoft.NET.Sdk.Web">
  <ItemGroup>
    <PackageReference Include="Npgsql" />
    <PackageReference Include="Serilog;Serilog.Sinks.Console" Version="4.3.0" />
    <PackageReference Update="Later" Version="1.0.0" />
    <PackageReference Include="$(Computed)" />
    <ProjectReference Include="../Core/Core.fsproj" />
  </ItemGroup>
</Project>`;
const LOCK = {
  version: 2,
  dependencies: {
    'net9.0': {
      Npgsql: { type: 'Direct', requested: '[9.0.3, )', resolved: '9.0.3', contentHash: 'x' },
      'Microsoft.Extensions.Logging': { type: 'Transitive', resolved: '9.0.6' },
      'System.Text.Json': { type: 'CentralTransitive', requested: '[9.0.6, )', resolved: '9.0.6' },
      core: { type: 'Project', dependencies: {} },
    },
    'net8.0': { Npgsql: { type: 'Direct', requested: '[9.0.3, )', resolved: '9.0.3' } },
  },
};

test('nuget reads the projects of a solution: lock beside each, PackageReference without one, shared ones', () => {
  expect(
    readBrief(nuget, {
      'shop.sln': SOLUTION,
      'src/Api/Api.csproj': API,
      'src/Api/packages.lock.json': JSON.stringify(LOCK),
      'src/Core/Core.fsproj':
        '<Project xmlns="http://schemas.microsoft.com/developer/msbuild/2003"><ItemGroup Condition="x"><PackageReference Include="FSharp.Core"/></ItemGroup></Project>',
      'Directory.Build.props': '<Project><ItemGroup><PackageReference Include="StyleCop" /></ItemGroup></Project>',
    }),
  ).toEqual([
    '[Microsoft.Extensions.Logging 9.0.6]',
    '[System.Text.Json 9.0.6]',
    'FSharp.Core ? @src/Core',
    'Npgsql 9.0.3 @src/Api',
    'Serilog ? @src/Api',
    'Serilog.Sinks.Console ? @src/Api',
    'StyleCop ? @src/Api',
    'StyleCop ? @src/Core',
  ]);
});

test('nuget reads .slnx, packages.config and a lock alone', () => {
  expect(
    readBrief(nuget, {
      'a.slnx':
        '<Solution><Folder Name="/src/"><Project Path="src/A/A.csproj" /></Folder><Project Path="B/B.vbproj"/></Solution>',
      'src/A/A.csproj': '<Project />',
      'src/A/packages.config':
        '<?xml version="1.0" encoding="utf-8"?>\n<packages>\n  <package id="Dapper" version="2.1.66" targetFramework="net48" />\n</packages>',
      'B/B.vbproj':
        '<Project><Choose><When><ItemGroup><PackageReference Include="Polly"/></ItemGroup></When></Choose></Project>',
    }),
  ).toEqual(['Dapper 2.1.66 @src/A', 'Polly ? @B']);
  expect(readBrief(nuget, { 'packages.lock.json': JSON.stringify(LOCK) })).toEqual([
    '[Microsoft.Extensions.Logging 9.0.6]',
    '[System.Text.Json 9.0.6]',
    'Npgsql 9.0.3',
  ]);
  expect(readBrief(nuget, { 'package.json': '{}' })).toBeUndefined();
});

test('nuget names file and line of what is broken', () => {
  const broken = (texts: Record<string, string>) => () => nuget.read(textFiles(texts));
  expect(broken({ 'A.csproj': '<Project>\n<ItemGroup>\n</Project>' })).toThrow(/^A\.csproj line 3: /);
  expect(broken({ 'A.csproj': '<Project/>', 'packages.lock.json': '{"version": 1}' })).toThrow(
    /^packages\.lock\.json: has no table `dependencies`/,
  );
});
