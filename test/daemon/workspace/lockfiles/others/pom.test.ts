import { expect, test } from 'vitest';
import { pom } from '../../../../../daemon/workspace/lockfiles/others/pom.ts';
import { readBrief, textFiles } from '../../../../helpers/workspace-files.ts';

const dependency = (group: string, artifact: string, version?: string) =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>${version ? `<version>${version}</version>` : ''}</dependency>`;

const ROOT = `<?xml version="1.0" encoding="UTF-8"?>
<!-- the shop -->
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <groupId>com.example</groupId>
  <artifactId>shop</artifactId>
  <version>1.0</version>
  <packaging>pom</packaging>
  <properties>
    <scala.binary>2.13</scala.binary>
    <jdbc>42.7.7</jdbc>
    <pg.version>\${jdbc}</pg.version>
    <loop>\${loop}</loop>
  </properties>
  <modules>
    <module>api</module>
    <module>../outside</module>
    <module>db/pom-db.xml</module>
    <module>missing</module>
  </modules>
  <dependencyManagement><dependencies>${dependency('not', 'direct', '1')}</dependencies></dependencyManagement>
  <dependencies>${dependency('org.slf4j', 'slf4j-api')}</dependencies>
  <profiles><profile><id>x</id>
    <dependencies>${dependency('org.testcontainers', 'postgresql', '[1.21,2)')}</dependencies>
    <modules><module>extra</module></modules>
  </profile></profiles>
</project>`;

test('pom reads modules, profiles, and properties of parents inside the root; versions only as written beside', () => {
  expect(
    readBrief(pom, {
      'pom.xml': ROOT,
      'api/pom.xml': `<project><parent><groupId>com.example</groupId><artifactId>shop</artifactId><version>1.0</version></parent>
        <artifactId>api</artifactId><dependencies>
        ${dependency('org.typelevel', 'cats-core_${scala.binary}', '2.13.0')}
        ${dependency('${project.groupId}', 'db', '${project.version}')}
        ${dependency('org.postgresql', 'postgresql', '${pg.version}')}
        ${dependency('${loop}', 'never')}${dependency('unknown', '${not.here}')}
        </dependencies></project>`,
      'db/pom-db.xml': `<project><dependencies>${dependency(' com.h2database ', 'h2')}</dependencies></project>`,
      'extra/pom.xml': `<project><parent><relativePath/></parent><dependencies>${dependency('a', 'b', '${jdbc}')}</dependencies></project>`,
    }),
  ).toEqual([
    'a:b ? @extra',
    'com.example:db 1.0 @api',
    'com.h2database:h2 ? @db',
    'org.postgresql:postgresql 42.7.7 @api',
    'org.slf4j:slf4j-api ?',
    'org.testcontainers:postgresql ?',
    'org.typelevel:cats-core_2.13 2.13.0 @api',
  ]);
});

test('pom expands no entities, follows no circle of parents, and names the line of what is broken', () => {
  const bomb =
    '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><project><dependencies><dependency><groupId>g</groupId><artifactId>&b;</artifactId></dependency></dependencies></project>';
  expect(readBrief(pom, { 'pom.xml': bomb })).toEqual(['g:&b; ?']);
  const circle = `<project><parent><relativePath>pom.xml</relativePath></parent><dependencies>${dependency('g', '${x}')}</dependencies></project>`;
  expect(readBrief(pom, { 'pom.xml': circle })).toEqual([]);
  expect(readBrief(pom, { 'build.gradle': '' })).toBeUndefined();
  expect(() => pom.read(textFiles({ 'pom.xml': ROOT.slice(0, 400) }))).toThrow(/^pom\.xml line \d+: /);
});
