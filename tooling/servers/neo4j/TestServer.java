import static org.neo4j.configuration.GraphDatabaseInternalSettings.netty_server_shutdown_quiet_period;
import static org.neo4j.configuration.GraphDatabaseSettings.auth_enabled;
import static org.neo4j.configuration.GraphDatabaseSettings.memory_transaction_max_size;
import static org.neo4j.configuration.GraphDatabaseSettings.pagecache_memory;
import static org.neo4j.configuration.GraphDatabaseSettings.preallocate_logical_logs;
import static org.neo4j.configuration.GraphDatabaseSettings.udc_enabled;

import java.nio.file.Path;
import java.util.Map;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.connectors.ConnectorPortRegister;
import org.neo4j.configuration.connectors.ConnectorType;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.kernel.internal.GraphDatabaseAPI;

/** Neo4j for tests: Bolt on the loopback address and nothing else. Prints its address once it answers. */
final class TestServer {
    private static final long MEBIBYTE = 1024 * 1024;

    public static void main(String[] arguments) {
        Path data = Path.of(arguments[0]).toAbsolutePath();
        var address = new SocketAddress("127.0.0.1", Integer.parseInt(arguments[1]));
        String password = System.getenv("WARRANT_NEO4J_PASSWORD");
        boolean hasPassword = password != null && !password.isEmpty();
        long mostMebibytes = Long.parseLong(System.getenv().getOrDefault("WARRANT_NEO4J_TRANSACTION_MB", "0"));

        var builder = new DatabaseManagementServiceBuilder(data)
                .setConfig(BoltConnector.enabled, true)
                .setConfig(BoltConnector.listen_address, address)
                .setConfig(BoltConnector.advertised_address, address)
                .setConfig(auth_enabled, hasPassword)
                .setConfig(udc_enabled, false)
                .setConfig(pagecache_memory, 64 * MEBIBYTE)
                .setConfig(memory_transaction_max_size, mostMebibytes * MEBIBYTE)
                // Or the first transaction reserves 256 MiB of disk.
                .setConfig(preallocate_logical_logs, false)
                // Or every stop waits ten seconds for callers that do not come.
                .setConfig(netty_server_shutdown_quiet_period, 0);
        DatabaseManagementService service = builder.build();
        Runtime.getRuntime().addShutdownHook(new Thread(service::shutdown));
        // A script that is killed cannot stop its server.
        ProcessHandle.current().parent().ifPresent(script -> script.onExit().thenRun(() -> System.exit(0)));

        if (hasPassword) {
            String statement = "CREATE OR REPLACE USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED";
            service.database("system").executeTransactionally(statement, Map.of("password", password));
        }
        var ports = ((GraphDatabaseAPI) service.database("neo4j"))
                .getDependencyResolver()
                .resolveDependency(ConnectorPortRegister.class);
        System.out.println("bolt://127.0.0.1:" + ports.getLocalAddress(ConnectorType.BOLT).getPort());
    }
}
