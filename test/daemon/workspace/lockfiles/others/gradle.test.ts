import { expect, test } from 'vitest';
import { gradle } from '../../../../../daemon/workspace/lockfiles/others/gradle.ts';
import { readBrief, textFiles } from '../../../../helpers/workspace-files.ts';

const CATALOG = `[versions]
ktor = "3.2.0"
[libraries]
ktor-client_core = { module = "io.ktor:ktor-client-core", version.ref = "ktor" }
ktor-client-cio = { group = "io.ktor", name = "ktor-client-cio", version.ref = "ktor" }
guava = "com.google.guava:guava:33.4.8-jre"
unused = "x:unused:1"
[bundles]
ktor = ["ktor-client_core", "ktor-client-cio"]
[plugins]
kotlin = "org.jetbrains.kotlin.jvm:2.2.0"
`;
const LOCK = `# This is a Gradle generated file for dependency locking.
# Manual edits can break the build and are not advised.
# This file is expected to be part of source control.
com.google.guava:guava:33.4.8-jre=compileClasspath,runtimeClasspath
com.google.guava:failureaccess:1.0.3=compileClasspath,runtimeClasspath
org.jetbrains.kotlin:kotlin-reflect:1.6.10=ktlint
org.jetbrains.kotlin:kotlin-reflect:2.2.0=compileClasspath
empty=annotationProcessor
`;

test('gradle reads projects, catalog, bundles, Groovy and Kotlin, and a lock beside each build file', () => {
  expect(
    readBrief(gradle, {
      'settings.gradle.kts':
        'rootProject.name = "shop"\ninclude(":app", "lib:core")\ninclude("moved")\n// include("gone")\nproject(":moved").projectDir = file("elsewhere/m")\n',
      'gradle/libs.versions.toml': CATALOG,
      'app/build.gradle.kts': `plugins { alias(libs.plugins.kotlin) }
dependencies {
    implementation(libs.guava)
    implementation(libs.bundles.ktor)
    implementation(kotlin("reflect"))
    implementation(project(":lib:core"))
    implementation(platform("org.springframework.boot:spring-boot-dependencies:3.5.3"))
    "customApi"(libs.unused)
    testImplementation("org.junit.jupiter:junit-jupiter:5.13.2") // why
    // api("commented:out:1")
}
`,
      'app/gradle.lockfile': LOCK,
      'lib/core/build.gradle': `dependencies {
    api 'org.slf4j:slf4j-api:2.0.17'
    compileOnly group: 'org.projectlombok', name: 'lombok', version: '1.18.38'
    ksp "com.google.dagger:dagger-compiler:2.56"
    runtimeOnly libs.ktor.client.core.get()
}
`,
      'elsewhere/m/build.gradle': "dependencies { implementation 'a.b:c:1' }",
    }),
  ).toEqual([
    '[com.google.guava:failureaccess 1.0.3]',
    'a.b:c ? @elsewhere/m',
    'com.google.dagger:dagger-compiler ? @lib/core',
    'com.google.guava:guava 33.4.8-jre @app',
    'io.ktor:ktor-client-cio ? @app',
    'io.ktor:ktor-client-core ? @app',
    'io.ktor:ktor-client-core ? @lib/core',
    'org.jetbrains.kotlin:kotlin-reflect 1.6.10 @app',
    'org.jetbrains.kotlin:kotlin-reflect 2.2.0 @app',
    'org.junit.jupiter:junit-jupiter ? @app',
    'org.projectlombok:lombok ? @lib/core',
    'org.slf4j:slf4j-api ? @lib/core',
    'org.springframework.boot:spring-boot-dependencies ? @app',
  ]);
});

test('gradle reads one project without settings, and names the line of a broken lock', () => {
  expect(
    readBrief(gradle, { 'build.gradle': "dependencies { classpath('a:b:1') }", 'gradle.lockfile': 'a:b:1=x\n' }),
  ).toEqual(['a:b 1']);
  expect(readBrief(gradle, { 'pom.xml': '' })).toBeUndefined();
  const half = LOCK.slice(0, LOCK.indexOf('33.4.8') + 3);
  expect(() => gradle.read(textFiles({ 'build.gradle': '', 'gradle.lockfile': half }))).toThrow(
    /^gradle\.lockfile line 4: /,
  );
});
